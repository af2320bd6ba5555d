#!/usr/bin/env bash
# Runs everything that touches files and threads under valgrind, briefly:
#   tools/valgrind.sh build/release
set -euo pipefail
build=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

check() {
  valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect "$@"
}
tool() {
  check "$build/bkernn" "$@" > /dev/null
}
tool simulate --n 300 --d 3 --n-test 50 -o data.csv.gz -q
for extension in json ubj cbor; do
  fit=(fit data.csv.gz -t y --particles 4 --threads 2 -o "model.$extension" -q)
  tool "${fit[@]}" --max-iter 2 --checkpoint "state.$extension"
  tool "${fit[@]}" --max-iter 3 --checkpoint "state.$extension" --resume
  tool predict "model.$extension" data.test.csv.gz -o "p-$extension.npy" -q
done
cmp p-json.npy p-ubj.npy
cmp p-json.npy p-cbor.npy
tool score model.json data.test.csv.gz
tool convert model.json small.cbor --compress 0.01
tool report model.json data.csv.gz -o report.html -q
head -c 2000 model.json > cut.json
check "$build/bkernn" inspect cut.json 2> /dev/null && exit 1 || [ $? -eq 1 ]
check "$build/tests/bkernn_tests" --gtest_brief=1 \
  --gtest_filter='ModelIoTest.*:Csv*:Npy*:ParallelFor.*-*Damaged*:*Fork*:*ThreadsThatCannot*'
echo "valgrind: no error"
