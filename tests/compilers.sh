#!/bin/sh
# compilers.sh COMPILER FLAGS FILE…: each C file alone goes through the compiler's front end without a warning.
set -u
compiler=$1 flags=$2
shift 2
if ! command -v "$compiler" >/dev/null; then
    echo "needs $compiler"
    exit 77
fi
bad=0 good=0
for file in "$@"; do
    # shellcheck disable=SC2086 # flags are several words
    if "$compiler" $flags -fsyntax-only "$file"; then
        good=$((good + 1))
    else
        bad=$((bad + 1))
    fi
done
echo "$good passed"
[ "$bad" -eq 0 ]
