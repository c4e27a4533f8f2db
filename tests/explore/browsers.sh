# What tests/browser/run and tests/explore/run share; they source it behind suite.sh. python has Selenium; chromium and driver are its browser: each is
# empty where it is not installed. missing: what was left out, and why.
# shellcheck shell=sh disable=SC2034
export PYTHONDONTWRITEBYTECODE=1
missing='' python=''
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import selenium' 2>/dev/null && python=$candidate && break
done
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) driver=$(command -v chromedriver)

in_python() { # WHAT FILE WORDS…: a suite that ends as tests/suite.py does
    what=$1
    shift
    "$python" "$@" >"$folder/said" 2>&1
    case $? in
    0) good "$(tail -1 "$folder/said" | sed -n 's/^\([0-9]*\) passed$/\1/p')" ;;
    77) missing="$missing $what ($(tail -1 "$folder/said"))" ;;
    *) bad "$what: $(tail -n 30 "$folder/said")" ;;
    esac
}
