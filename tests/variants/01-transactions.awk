# Of both warps together. f(thread): the first byte that a thread reads; of: the kernel's number.
function whole(bytes, warp, lane) {
    requests = sectors = 0
    for (warp = 0; warp < 2; warp++) {
        begin()
        for (lane = 32 * warp; lane < 32 * warp + 32; lane++) touch(place(lane), bytes)
        requests++
        sectors += count(sector)
    }
    print kernel, requests, sectors
}
function place(thread) {
    if (kernel == "small_steps") return 4 * n[1] * thread
    if (kernel == "some_share") return 4 * int(thread / n[1])
    if (kernel == "red_bytes") return n[1] * thread
    return 4 * (n[1] * int(thread / 8) + thread % 8)
}
kernel ~ /^(small_steps|some_share)$/ && /in\[/ {
    numbers($0)
    whole(4)
}
kernel == "red_bytes" && /in\[/ {
    numbers($0)
    whole(1)
}
kernel == "first_floats" && /in\[/ {
    numbers($0)
    begin()
    touch(0, 4 * n[1])
    print kernel, (n[1] > 32 ? 2 : 1), count(sector)
}
kernel == "tile" && /in\[/ {
    numbers(substr($0, index($0, "in[")))
    whole(4)
}
kernel == "staircase" && /int floats/ {
    numbers($0)
    requests = sectors = 0
    for (warp = 0; warp < 2; warp++)
        for (k = 0; k < 64; k++) {
            begin()
            for (thread = 32 * warp; thread < 32 * warp + 32; thread++)
                if (k < int(thread / n[1])) touch(4 * (64 * k + thread), 4)
            requests += count(sector) > 0
            sectors += count(sector)
        }
    print kernel, requests, sectors
}
