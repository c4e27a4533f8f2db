# What the shell suites share; each sources it first, by  . "$(dirname "$0")/../suite.sh"  and ends with `finish`.
# It is then in the root of the tree and has
#   BUILD, WARPSCOPE   the build folder and the program
#   folder             an empty folder of its own, removed when the suite ends
#   name               what is tested just now, for the messages of what fails; may stay empty
#   out, err, status   in `folder` the output, and the exit status, of what `try` ran last
#   limit              the seconds after which `try` and `await` give up what hangs: far more than any machine takes, so that nothing that passes
#                      depends on how fast this one is
# What tools say, and the order that they sort in, are those of C.UTF-8, whatever the caller's language.
# shellcheck shell=sh disable=SC2034
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=$PWD/build}" "${CC:=cc}"
: "${WARPSCOPE:=$BUILD/warpscope}"
case ${TMPDIR:-} in *[!A-Za-z0-9/._-]*) unset TMPDIR ;; esac # make and lists of words have no other names
folder=$(mktemp -d) || exit 1
readonly folder
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0 name='' status='' limit=1800

skip() { # WHY: the whole suite
    echo "$*"
    exit 77
}
# What programs compute by cuFFT needs it.
eval "$(grep '^finds_fftw()' setup)"
has_fftw() { [ -e "${WARPSCOPE_LIBFFTW3:-}" ] || finds_fftw; }
needs_fftw() { # WHAT
    has_fftw || { echo "left out, without FFTW: $1" && false; }
}

plain_build_only() { [ -z "${SAN:-}" ] || skip 'looked at in the plain build'; }

# Whether the clang that is taken can link programs with the sanitizers, whose library is a package of its own in Debian.
clang_sanitizes() {
    clang=$("$WARPSCOPE" compilers clang | sed -n '1s/.*\t//p')
    [ -z "$clang" ] || echo 'int main(void) {return 0;}' | "$clang" -fsanitize=address -x c -o "$folder/sanitized" - 2>/dev/null
}
# [--rest]: fills `compilers`. Compiling is most of what suites cost, so make check asks one compiler, the quicker, unless `turns` names another first,
# and make check-all with --rest the other.
take_turn() {
    compilers='' needed='nvcc or clang'
    for cc in ${turns:-clang nvcc}; do
        if [ -n "${SAN:-}" ] && [ $cc = clang ] && ! clang_sanitizes; then
            needed="clang's sanitizers: ./setup --all"
        elif "$WARPSCOPE" compilers $cc | grep -vq "${not_those:-no such words}"; then
            compilers="$compilers${compilers:+ }$cc"
        fi
    done
    case ${1:-}:$compilers in
    *:) skip "needs $needed" ;;
    --rest:*' '*) compilers=${compilers#* } ;;
    --rest:*) skip 'all had their turn: there is one compiler' ;;
    *) compilers=${compilers%% *} ;;
    esac
}

good() { passed=$((passed + ${1:-1})); } # [HOW MANY]
bad() { # WHAT: with the first lines that `try` left
    failed=$((failed + 1))
    echo "${name:+$name: }$*"
    cat "$folder/err" "$folder/out" 2>/dev/null | head -n 20 | sed 's/^/    /'
}
check() { # WHAT COMMAND…: the command succeeds
    what=$1
    shift
    if "$@"; then good; else bad "not so: $what"; fi
}
expect() { # WHAT GOT WANTED
    if [ "$2" = "$3" ]; then good; else bad "$1: got '$2', expected '$3'"; fi
}
holds() { # FILE TEXT: each line of the text stands in the file, and is a check
    while IFS= read -r line; do
        if grep -qF -e "$line" "$1"; then good; else bad "${1##*/} lacks '$line'"; fi
    done <<TEXT
$2
TEXT
}

try() { # COMMAND…: keeps what it prints and its exit status, which it returns
    timeout "$limit" "$@" >"$folder/out" 2>"$folder/err"
    status=$?
    return $status
}

# Events. What is to happen while something else runs is arranged by one of these, never by a time: what waits is told by a file to go on.
await() { # WHAT COMMAND…: waits until the command succeeds, which is a check
    what=$1 began=$(date +%s)
    shift
    until "$@"; do
        [ $(($(date +%s) - began)) -lt "$limit" ] || { bad "not so after $limit s: $what" && return 1; }
        sleep 0.1
    done
    good
}
has_ended() { ! kill -0 "$1" 2>/dev/null; } # PID
count_reaches() { [ "$(cat "$1" 2>/dev/null | grep -cF -e "$2")" -ge "$3" ]; } # FILE TEXT LINES: as many have the text
await_end() { # PID: a child of this shell, by itself; its exit status is in `status`
    await "$1 has ended" has_ended "$1" || kill -9 "$1"
    wait "$1" 2>/dev/null
    status=$?
}

# FILE: the architecture that a CUDA file of the tree needs: sm_90 for clusters; nothing where the usual one will do.
arch_of() {
    case $1 in
    book/examples/clusters.cu) echo sm_90 ;;
    exercises/* | solutions/*)
        lab_of_file=${1#*/}
        lab_of_file=${lab_of_file#untouched/}
        lab_of_file=${lab_of_file%.cu}
        ! grep -q '^CLUSTER(' "exercises/${lab_of_file%%/*}/lab.goals" || echo sm_90
        ;;
    esac
}

# LIST COMMAND…: the command, a suite of its own, with the words of each line of LIST as further arguments
side_by_side() {
    list=$1
    shift
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 "$@" <"$list" >"$folder/verdicts" || failed=$((failed + 1))
    grep -v '^[0-9]* passed$' "$folder/verdicts"
    good "$(awk '$NF == "passed" {sum += $(NF - 1)} END {print sum + 0}' "$folder/verdicts")"
}

# FOLDER LAB…: becomes a tree of learners who have these labs as they were given, so that nobody's own exercises are touched; WARPSCOPE_HOME names it.
learners_tree() {
    mkdir -p "$1/src" "$1/exercises" || exit 1
    ln -s "$PWD/src/include" "$1/src/include"
    ln -s "$PWD/exercises/untouched" "$PWD/exercises/rules.goals" "$PWD/exercises/timing.h" "$1/exercises/"
    export WARPSCOPE_HOME="$1"
    shift
    for given in "$@"; do
        mkdir "$WARPSCOPE_HOME/exercises/$given"
        cp "exercises/$given/lab.goals" "exercises/$given/hints.md" "exercises/$given/main.cu" "$WARPSCOPE_HOME/exercises/$given/"
        cp "exercises/untouched/$given.cu" "$WARPSCOPE_HOME/exercises/$given/kernel.cu"
    done
}

finish() { # the line that the judge reads
    if [ "$failed" = 0 ]; then
        echo "$passed passed"
        exit 0
    fi
    echo "$failed failed, $passed passed"
    exit 1
}
