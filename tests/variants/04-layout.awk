# The kernel's loads: so many, of so many bytes, the first at this byte of a structure, and the next one so far behind it.
function loads(many, first, apart, bytes, load, lane) {
    touched = 0
    split("", all)
    for (load = 0; load < many; load++) {
        begin()
        for (lane = 0; lane < 32; lane++) touch(size * lane + first + apart * load, bytes)
        touched += count(sector)
        for (key in sector) all[key] = 1
    }
    print kernel "_sectors", touched, count(all)
}
/unsigned char band/ {
    numbers($0)
    colour = n[1]
}
# A char, a double at the next multiple of 8, a short, and so many more.
/short number, spare/ {
    numbers($0)
    entry = 8 * int((16 + 2 + 2 * n[1] + 7) / 8)
}
/vx, vy, vz, force/ {
    numbers($0)
    body = 4 * (6 + n[1])
}
kernel == "brightness" && /out\[/ {
    size = colour
    loads(3, 0, 1, 1)
}
kernel == "loudness" && /in\[/ {
    numbers($0)
    size = 4 * n[1]
    loads(2, 0, 2, 2)
}
kernel == "weights" && /out\[/ {
    size = entry
    loads(3, 0, 8, 1)
}
kernel == "velocities" && /out\[/ {
    size = body
    loads(3, 12, 4, 4)
}
