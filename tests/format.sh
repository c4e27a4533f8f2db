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
wrong=$("$formatter" --dry-run -Werror "$@" 2>&1)
status=$?
files=$(printf '%s\n' "$wrong" | sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: code should be clang-formatted.*/\1/p' | sort -u)
for file in $files; do echo "$file: not as clang-format leaves it; fix with: make format"; done
[ "$status" -eq 0 ] || [ -n "$files" ] || printf '%s\n' "$wrong"
echo "$(($# - $(printf '%s' "$files" | grep -c .))) passed"
exit "$status"
