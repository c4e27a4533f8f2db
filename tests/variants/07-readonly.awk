function place(lane) {
    if (kernel == "steps_apart") return n[1] * lane
    if (kernel == "backwards") return n[1] - lane
    if (kernel == "in_place") return lane % 2 ? lane - 1 : lane + 1
    if (kernel == "constant_ring") return lane * n[1] % n[2]
    return int(lane / n[1]) * n[2]
}
# nc: __ldg asks for it, __restrict__ allows it where nothing is written through the pointer.
(kernel ~ /^(steps_apart|in_groups|backwards)$/ && /out\[/) || (kernel == "in_place" && /2\.0f/) {
    numbers(substr($0, match($0, /in\[[0-9t].*[^;]$|= in\[.*|&in\[.*/)))
    begin()
    for (lane = 0; lane < 32; lane++) touch(4 * place(lane), 4)
    print kernel, (kernel == "steps_apart" || kernel == "backwards") + 0, count(sector)
}
kernel ~ /^constant_/ && /out\[/ {
    numbers(substr($0, index($0, "constants[")))
    split("", address)
    for (lane = 0; lane < 32; lane++) address[place(lane)] = 1
    print kernel, count(address)
}
