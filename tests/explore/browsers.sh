# What tests/browser/run and tests/explore/run share; they source it behind suite.sh. python has Selenium; chromium and driver are its browser: each is
# empty where it is not installed. missing: what was left out, and why.
# shellcheck shell=sh disable=SC2034
export PYTHONDONTWRITEBYTECODE=1
missing='' python=''
for candidate in /usr/bin/python3 python3; do
    "$candidate" -c 'import selenium' 2>/dev/null && python=$candidate && break
done
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) driver=$(command -v chromedriver)

# SITE TO: a copy of the book's pages whose launches may take as long as they take here
patient_site() { cp -r "$1" "$2" && cat tests/explore/patient.js "$1/engine.js" >"$2/engine.js"; }
# PAGE: the same of one that `warpscope explore` wrote, in its place
patient_page() { awk 'NR == FNR {patient = patient $0 "\n"; next} !said && /^<script>/ {printf "<script>\n%s</script>\n", patient; said = 1} {print}' tests/explore/patient.js "$1" >"$1.new" && mv "$1.new" "$1"; }

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
