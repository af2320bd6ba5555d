"""Print what the package and the given extras require, one to a line, for pip install -r.

python tools/requirements.py test: what the tests need, before there is a wheel.
"""

import re
import sys
from pathlib import Path

import tomllib

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def requirements(extras):
    """All requirements, those of extras that name other extras included."""
    found = list(PROJECT["dependencies"])
    for extra in extras:
        for one in PROJECT["optional-dependencies"][extra]:
            named = re.fullmatch(r"bkernn\[(.*)\]", one)
            found += requirements(named[1].split(",")) if named else [one]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
