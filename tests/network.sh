# What suites share that fetch from a network; each sources it behind its own `skip`, and asks needs_network before it fetches. tests/layers sees to it.
# shellcheck shell=sh
: "${debian_mirror:=$(sed -n 's/^DEF_MIRROR="\(.*\)"/\1/p' /usr/sbin/debootstrap 2>/dev/null | head -n 1)}"

# URL: whether nobody answers there, or at the proxy on the way, which are the failures that wget ends with 4 for. A server that refuses has answered, and
# where wget is missing nobody knows: what is fetched then fails, and says of what.
nobody_answers() {
    wget --quiet --spider --tries=1 "$1" 2>/dev/null
    [ $? = 4 ]
}
needs_network() { # URL WHAT: the suite is skipped where there is no network to fetch that from
    ! nobody_answers "$1" || skip "needs a network, for $2: nobody answers at $1; run it where somebody does, or name a proxy in http_proxy"
}
