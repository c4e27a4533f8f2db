# A class that stands still where a suite wants it to, or says how far it is; sourced behind suite.sh. What waits is the sandbox, before it does anything, at
# a gate that the suite opens: so what is to happen in the middle of a class does, on any machine.
#   gated   for WARPSCOPE_HOME: a tree like this one, but for its sandbox, each call of which is a line of a file
# shellcheck shell=sh disable=SC2034
gated=$folder/gated gate=$folder/gate
mkdir -p "$gated/src/grade" "$gate"
ln -s "$PWD"/* "$gated/" 2>/dev/null
[ ! -e .cuda ] || ln -s "$PWD/.cuda" "$gated/"
ln -s "$PWD"/src/* "$gated/src/" 2>/dev/null
cat >"$gated/src/grade/sandbox" <<END
#!/bin/sh
call=1
until mkdir "$gate/call.\$call" 2>/dev/null; do call=\$((call + 1)); done # a number of its own, whoever calls at once
echo >>'$gate/calls'
if [ "\$call" -ge "\$(cat '$gate/from')" ]; then
    while [ -e '$gate/from' ] && [ ! -e '$gate/open' ]; do sleep 0.1; done
fi
exec '$PWD/src/grade/sandbox' "\$@"
END
chmod +x "$gated/src/grade/sandbox"

gate_shut() { # [CALL]: from this one on, the first being 1, they wait; none does where none is named
    rm -rf "$gate/open" "$gate"/call.*
    : >"$gate/calls"
    echo "${1:-1000000000}" >"$gate/from"
}
gate_open() { : >"$gate/open"; }
gate_reached() { [ "$(wc -l <"$gate/calls")" -ge "$1" ]; }         # CALL
gate_reached_or_ended() { gate_reached "$1" || has_ended "$2"; } # CALL PID
drawn() { awk -v seed="$(od -An -N3 -tu4 /dev/urandom)" -v most="$1" 'BEGIN {srand(seed); print 1 + int(most * rand())}'; } # MOST: from 1 on
