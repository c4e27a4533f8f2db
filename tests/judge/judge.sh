#!/bin/sh
# judge.sh RESULT COMMAND…      runs a test suite, prints one line about it and writes the verdict to the file RESULT
# judge.sh --sum TITLE RESULT…  adds the verdicts up and names the suites that took longest; fails when one failed or is missing
#
# A suite passes when it exits 0 and says how many tests passed: Check's "Checks: 12, Failures: 0", or a last line that ends
# with "12 passed". A suite that passes nothing fails. Status 77 means skipped; the last line of output says why.
# The verdict is one line, with the seconds that the suite took: "pass 12 3", "skip 0 0 reason" or "fail 0 3 reason".
set -u

sum() {
    title=$1
    shift
    failed='' suites=0 tests=0 longest=''
    for result in "$@"; do
        name=${result##*/}
        verdict='fail' count=0 seconds=0 reason=''
        [ -f "$result" ] && read -r verdict count seconds reason <"$result"
        [ "$seconds" -eq 0 ] || longest="$longest$seconds $name
"
        case $verdict in
        pass) suites=$((suites + 1)) tests=$((tests + count)) ;;
        skip) echo "  skipped $name: $reason" ;;
        *) failed="$failed $name" ;;
        esac
    done
    [ -z "$longest" ] || printf '%s' "$longest" | sort -rn | head -n 5 |
        awk '{line = line (NR > 1 ? ", " : "") $2 " " $1 " s"} END {print "  longest: " line}'
    if [ -n "$failed" ]; then
        printf '%s: FAILED:%s (%d suites, %d tests passed)\n' "$title" "$failed" "$suites" "$tests"
        exit 1
    fi
    printf '%s: %d suites, %d tests passed\n' "$title" "$suites" "$tests"
}

if [ "$1" = --sum ]; then
    shift
    sum "$@"
    exit
fi

result=$1
shift
name=${result##*/}
log=$result.log
mkdir -p "${result%/*}"
rm -f "$result"
limit=''
command -v timeout >/dev/null && limit='timeout 900'
begin=$(date +%s)
$limit "$@" >"$log" 2>&1
status=$?
seconds=$(($(date +%s) - begin))
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
124) reason='ran for more than 900 s' ;;
*) reason="status $status" ;;
esac
[ "$verdict" = pass ] || count=0
printf '%s %s %s %s\n' "$verdict" "$count" "$seconds" "$reason" >"$result"
case $verdict in
pass) printf '  %-7s %s: %s passed\n' TEST "$name" "$count" ;;
skip) printf '  %-7s %s: %s\n' SKIP "$name" "$reason" ;;
fail)
    sed 's/^/    /' "$log"
    printf '  %-7s %s: %s\n' FAIL "$name" "$reason"
    ;;
esac
exit 0
