# The place of a row's pack: two bits that differ are 1.
function swizzled(pack, row, bit, place) {
    for (bit = 1; bit < 8; bit *= 2) place += bit * (int(pack / bit) % 2 != int(row / bit) % 2)
    return place
}
# The most different words of a bank that lanes want, so many of them at a time; each wants its row's pack 0, or a word of it.
function wavefronts(served, words, first, lane, row, i, word, key, most, all) {
    for (first = 0; first < 32; first += served) {
        split("", want)
        split("", wanted)
        most = 0
        for (lane = first; lane < first + served; lane++) {
            row = words == 1 ? lane % n[1] : n[1] * lane % 32
            for (i = 0; i < words; i++) want[32 * row + 4 * swizzled(0, row) + i] = 1
        }
        for (word in want) wanted[word % 32]++
        for (key in wanted)
            if (wanted[key] > most) most = wanted[key]
        all += most
    }
    return all
}
(kernel == "column" || kernel == "packs") && /out\[threadIdx.x\] = tile/ {
    numbers(substr($0, index($0, "swizzled(")))
    print "wavefronts_" kernel, kernel == "column" ? wavefronts(32, 1) : wavefronts(8, 4)
}
/where step is/ {
    numbers(substr($0, index($0, "where step")))
    begin()
    for (lane = 0; lane < 32; lane++) touch(4 * n[1] * lane, 4)
    print "sectors_neighbour", count(sector)
}
/At which float of the swizzled tile/ {
    numbers(substr($0, index($0, "does float")))
    print "float_of_tile", 32 * n[2] + 4 * swizzled(int(n[1] / 4), n[2] % 8) + n[1] % 4
}
/counters lie in/ {
    numbers($0)
    each = n[1] / n[2]
    block = 0
    for (word = n[3]; word >= each; word -= each) block++
    print "block_of_counter", block
    print "word_of_counter", word
}
