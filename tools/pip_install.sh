#!/usr/bin/env bash
# pip install in a virtual environment, by uv: it resolves in seconds what takes pip a minute.
#   tools/pip_install.sh ENVIRONMENT ARGUMENT...
# Packages come from where pip is told to look. Without uv, pip itself installs.
set -euo pipefail
environment=$1
shift
pip=("$environment/bin/python" -m pip --disable-pip-version-check)
uv=build/uv/bin/uv
if [ ! -e build/uv ]; then
  python3 -m venv build/uv
  build/uv/bin/pip install -q --disable-pip-version-check 'uv>=0.5,<1' \
    || echo "tools/pip_install.sh: there is no uv here, so pip installs" >&2
fi
[ -x "$uv" ] || exec "${pip[@]}" install -q "$@"

# It prints lines such as global.find-links='a b', those of the environment first.
settings=$("${pip[@]}" config list)
setting() {
  sed -n "s/^[^=]*\.$1='\(.*\)'$/\1/p" <<< "$settings" | sed 's/\\n/ /g' | xargs
}
others=$(setting extra-index-url) links=$(setting find-links)
read -r index _ <<< "$(setting index-url)"  # one of each: the environment wins
read -r certificates _ <<< "$(setting cert)"
[ -z "$index" ] || export UV_DEFAULT_INDEX=$index
[ -z "$others" ] || export UV_INDEX=$others
[ -z "$links" ] || export UV_FIND_LINKS=${links// /,}
[ -z "$certificates" ] || export SSL_CERT_FILE=$certificates
export UV_INDEX_STRATEGY=unsafe-best-match UV_HTTP_TIMEOUT=${UV_HTTP_TIMEOUT:-180}
exec "$uv" pip install -q --python "$environment/bin/python" "$@"
