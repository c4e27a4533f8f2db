/&in\[/ && /memcpy_async/ && (kernel == "apart" || kernel == "packs") {
    numbers(substr($0, index($0, "&in[")))
    begin()
    for (lane = 0; lane < 32; lane++)
        if (kernel == "apart") touch(4 * (n[1] * lane + n[2]), 4)
        else touch(16 * (int(lane / n[1]) * n[2] + lane % n[3]), 16)
    print "sectors_" kernel, count(sector)
}
# Groups arrive in order: a wait leaves the latest ones, and what has arrived stays.
function wait(left) {
    while (arrived < made - left) arrived++
}
/^\/\/     (early|again) / {
    name = $2
    many = numbers($0)
    made = arrived = 0
    for (i = 1; i < many; i += 2) {
        made += n[i]
        wait(n[i + 1])
    }
    print "arrived_" name, arrived
}
# A buffer that is not asked for again is the one that was just used.
/^\/\/     (ring|alone) / {
    name = $2
    asked = name == "alone" ? -1 : 0
    numbers($0)
    print "bytes_" name, n[1] * n[2] * n[3] * (n[4] + asked)
}
