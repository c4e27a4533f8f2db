#!/bin/sh
# format.sh FILE…: fails when clang-format would change one. Versions differ in taste, so only version 14 judges.
set -u
for formatter in clang-format-14 clang-format; do
    command -v "$formatter" >/dev/null && "$formatter" --version | grep -q 'version 14\.' && break
    formatter=''
done
if [ -z "$formatter" ]; then
    echo 'needs clang-format 14'
    exit 77
fi
bad=0 good=0
for file in "$@"; do
    if "$formatter" "$file" | diff -u "$file" - >/dev/null; then
        good=$((good + 1))
    else
        bad=$((bad + 1))
        echo "$file: not as clang-format leaves it; mend with: make format"
    fi
done
echo "$good passed"
[ "$bad" -eq 0 ]
