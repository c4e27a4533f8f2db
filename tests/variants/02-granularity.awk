kernel == "two_ends" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < 32; lane++) touch(4 * (lane < n[1] ? lane : n[2] + lane), 4)
    print kernel, count(line), count(sector)
}
kernel == "large_steps" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < 32; lane++) touch(4 * n[1] * lane, 4)
    print kernel, count(line), count(sector)
}
kernel == "four_rows" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < 32; lane++) touch(4 * (n[1] * (lane % 4) + int(lane / 4)), 4)
    print kernel, count(line), count(sector)
}
kernel == "shorts_late" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < 32; lane++) touch(2 * (lane + n[1]), 2)
    print kernel, count(line), count(sector)
}
# A float, a short, a byte, and so many more; a multiple of 4.
/unsigned char kind, shelf/ {
    numbers($0)
    item = 4 * int((4 + 2 + 1 + n[1] + 3) / 4)
}
kernel == "kinds" && /items\[/ {
    begin()
    for (lane = 0; lane < 32; lane++) touch(item * lane + 6, 1)
    print kernel, count(line), count(sector)
}
kernel == "write_late" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < n[1]; lane++) touch(4 * (lane + n[2]), 4)
    print kernel, count(sector)
}
kernel == "write_apart" && /in\[/ {
    numbers($0)
    begin()
    for (lane = 0; lane < 32; lane++) touch(n[1] * lane, 1)
    print kernel, count(sector)
}
# Each L1 fetches once what its block needs.
function fetched(first, threads, i) {
    begin()
    for (i = first; i < first + threads; i++) {
        touch(4 * i, 4)
        touch(4 * (i + n[1]), 4)
    }
    return count(sector)
}
kernel == "overlap" && /out\[i\]/ {
    numbers($0)
    print "one_block", fetched(0, 64)
    print "two_blocks", fetched(0, 32) + fetched(32, 32)
}
