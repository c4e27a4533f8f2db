#!/bin/sh
# judge.sh RESULT COMMAND…      runs a test suite, prints one line about it and writes the verdict to the file RESULT
#                               ALONE=yes: fails where the suite does, which else --sum says
# judge.sh --sum TITLE RESULT…  adds the verdicts up and names the suites that took longest; fails when one failed or is missing.
#                               TIMES=1: what each suite took, in seconds of processor time
# judge.sh --all TITLE RESULT…  the same of several runs, whose results lie in folders of their own; says what was skipped, and why
#
# A suite passes when it exits 0 and says how many tests passed: Check's "Checks: 12, Failures: 0", or a last line that ends
# with "12 passed". A suite that passes nothing fails. Status 77 means skipped; the last line of output says why.
# The verdict is one line, with the seconds that the suite took, by the clock and of processors, its children's with them: "pass 12 3 4.5",
# "skip 0 0 0.1 reason" or "fail 0 3 4.5 reason".
set -u

sum() { # NAMES-BY-FOLDER TITLE RESULT…
    by_folder=$1 title=$2
    shift 2
    failed='' suites=0 tests=0 times=''
    for result in "$@"; do
        name=${result##*/}
        [ -z "$by_folder" ] || name=$(basename "${result%/results/*}")/$name
        verdict='fail' count=0 seconds=0 processors=0 reason=''
        [ -f "$result" ] && read -r verdict count seconds processors reason <"$result"
        times="$times$processors $seconds $name
"
        case $verdict in
        pass) suites=$((suites + 1)) tests=$((tests + count)) ;;
        skip) echo "  skipped $name: $reason" ;;
        *) failed="$failed $name" ;;
        esac
    done
    printf '%s' "$times" | sort -rn | awk -v all="${TIMES:-}" '
        {sum += $1}
        all {printf "  %8.1f s  %5d s  %s\n", $1, $2, $3}
        NR <= 5 && $1 >= 0.1 {longest = longest (NR > 1 ? ", " : "") $3 " " $1 " s"}
        END {
            if (all) printf "  %8.1f s of processors in all; beside it the time by the clock\n", sum
            else if (longest) print "  longest, of processor time: " longest
        }'
    if [ -n "$failed" ]; then
        printf '%s: FAILED:%s (%d suites, %d tests passed)\n' "$title" "$failed" "$suites" "$tests"
        exit 1
    fi
    printf '%s: %d suites, %d tests passed\n' "$title" "$suites" "$tests"
}

case $1 in
--sum)
    shift
    sum '' "$@"
    exit
    ;;
--all)
    shift
    sum yes "$@"
    exit
    ;;
esac

result=$1
shift
name=${result##*/}
log=$result.log
mkdir -p "${result%/*}"
rm -f "$result"
# A bound for what hangs, not for what is slow: the slowest suite takes minutes on a quiet machine, and what `--rest` does over an hour on a busy one.
bound=3600
case "$*" in *' --rest') bound=14400 ;; esac
limit=''
command -v timeout >/dev/null && limit="timeout $bound"
begin=$(date +%s)
$limit "$@" >"$log" 2>&1
status=$?
seconds=$(($(date +%s) - begin))
times >"$result.times" # not of a pipe, which would be another shell's
processors=$(awk -F'[ms ]+' 'NR == 2 {printf "%.1f", 60 * $1 + $2 + 60 * $3 + $4}' "$result.times")
rm -f "$result.times"
last=$(awk 'NF {line = $0} END {print line}' "$log")
count=$(awk '
    match($0, /Checks: [0-9]+, Failures: 0, Errors: 0/) {split($0, part, "Checks: "); checks += part[2] + 0; seen = 1}
    NF {line = $0}
    END {
        if (match(line, /[0-9]+ passed\.?$/)) print substr(line, RSTART) + 0
        else if (seen) print checks
        else print "none"
    }' "$log")

verdict=fail
case $status in
0)
    case $count in
    none) reason='does not say how many tests passed' ;;
    0) reason='passed no test at all' ;;
    *) verdict=pass reason='' ;;
    esac
    ;;
77) verdict=skip reason=$last ;;
124) reason="ran for more than $bound s" ;;
*) reason="status $status" ;;
esac
[ "$verdict" = pass ] || count=0
printf '%s %s %s %s %s\n' "$verdict" "$count" "$seconds" "$processors" "$reason" >"$result"
case $verdict in
pass) printf '  %-7s %s: %s passed\n' TEST "$name" "$count" ;;
skip) printf '  %-7s %s: %s\n' SKIP "$name" "$reason" ;;
fail)
    sed 's/^/    /' "$log"
    printf '  %-7s %s: %s\n' FAIL "$name" "$reason"
    ;;
esac
[ -z "${ALONE:-}" ] || [ "$verdict" != fail ]
