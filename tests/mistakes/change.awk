# awk -f change.awk ENTRY FILE    the file with the change of the entry, as a list has it (tests/mistakes/run), made in it
# Lines with - that follow each other are text that stands once in the file, lines with + what stands there instead.
function fail(why) {
    print "the file has " why ": " old > "/dev/stderr"
    failed = 1
    exit 2
}
function apply(    at) {
    if (!changing) return
    changing = 0
    at = index(text, old)
    if (!at) fail("no")
    if (index(substr(text, at + 1), old)) fail("more than one")
    text = substr(text, 1, at - 1) new substr(text, at + length(old))
}
NR != FNR { text = text $0 "\n"; next }
/^[-+] / || /^[-+]$/ { lines[++count] = $0 }
END {
    for (i = 1; i <= count; i++) {
        sign = substr(lines[i], 1, 1)
        line = substr(lines[i], 3)
        if (sign == "-" && last != "-") {
            apply()
            changing = 1
            old = line
            new = ""
        } else if (sign == "-") old = old "\n" line
        else new = last == "-" ? line : new "\n" line
        last = sign
    }
    apply()
    if (!failed) printf "%s", text
}
