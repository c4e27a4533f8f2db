#!/bin/sh
# compilers.sh read|built COMPILER FILE…   what the compiler said when it read or built these, in FILE.said, is nothing; what has to be read for that,
#                                          each C file alone, `make read` has read first
# A warning stops nobody's build; here it is an error, for the compilers that the project is checked with. Others find things of their own.
set -u
how=$1 compiler=$2
shift 2
command -v "${compiler%% *}" >/dev/null || {
    echo "needs $compiler"
    exit 77
}
major=$($compiler -dumpversion | cut -d. -f1)
case $($compiler --version) in
*clang*) first=14 last=22 ;;
*) first=12 last=16 ;;
esac
if [ "$major" -lt $first ] || [ "$major" -gt $last ]; then
    echo "$compiler $major: its warnings are not known; those of $first to $last are"
    exit 77
fi

bad=0 good=0
count() { if "$@"; then good=$((good + 1)); else bad=$((bad + 1)); fi; }
is_silent() { [ ! -s "$1.said" ] || { cat "$1.said" && false; }; }
[ "$how" = built ] || make -s read || exit
for file in "$@"; do count is_silent "$file"; done
echo "$good passed"
[ $bad -eq 0 ]
