# The most words of a bank that the lanes want. A double is two words, and half a warp goes at a time.
function wavefronts(first, lanes, lane, word, bank, key, most) {
    split("", want)
    split("", wanted)
    for (lane = first; lane < first + lanes; lane++)
        for (word = from(lane); word <= to(lane); word++) want[word] = 1
    for (key in want) wanted[key % 32]++
    most = 0
    for (bank in wanted)
        if (wanted[bank] > most) most = wanted[bank]
    return most
}
function from(lane) {
    if (what == "bytes") return int(step * lane / 4)
    if (what == "rows") return int(lane / 8) * step + lane % 8
    return 2 * step * lane
}
function to(lane) { return from(lane) + (what == "doubles") }
/^\/\/     (bytes_apart|four_rows|doubles_apart)  *(step|pitch) / {
    what = $2 == "four_rows" ? "rows" : substr($2, 1, index($2, "_") - 1)
    text = "wavefronts_of_" what
    $1 = $2 = ""
    numbers($0)
    split(n[1] " " n[2] " " n[3], steps, " ")
    for (i = 1; i <= 3; i++) {
        step = steps[i]
        text = text " " (what == "doubles" ? wavefronts(0, 16) + wavefronts(16, 16) : wavefronts(0, 32))
    }
    print text
}
