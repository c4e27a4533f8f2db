# The right predictions of an exercise's part 1, worked out from the numbers that stand in it: a line each, the row's name and its numbers, in the order
# of the lab's goals. What lanes touch is counted by marking each byte's sector and line; no emulator is asked.
/__global__ void/ {
    kernel = $0
    sub(/.*void /, "", kernel)
    sub(/\(.*/, "", kernel)
}

# The whole numbers of a text: n[1], n[2], …
function numbers(text) {
    gsub(/threadIdx\.[xy]|float[0-9]|[a-z]+[0-9]+/, "", text)
    gsub(/[^0-9]+/, " ", text)
    sub(/^ /, "", text)
    return split(text, n, " ")
}
function begin() {
    split("", sector)
    split("", line)
}
function touch(byte, bytes, i) {
    for (i = byte; i < byte + bytes; i++) {
        sector[int(i / 32)] = 1
        line[int(i / 128)] = 1
    }
}
function count(set, key, many) {
    for (key in set) many++
    return many + 0
}
