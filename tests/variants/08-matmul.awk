# Rows of the three matrices have 64 or 128 floats, or 96: whole sectors. The comment before a kernel says which blocks it has.
/Launched with blocks of/ { shape = substr($0, index($0, "Launched")) }
kernel ~ /^(small_blocks|lanes_down|b_sideways)$/ && /int row/ {
    numbers(shape)
    text = kernel
    for (matrix = 1; matrix <= 3; matrix++) {
        begin()
        for (lane = 0; lane < 32; lane++) {
            row = int(lane / n[1])
            col = lane % n[1]
            if (kernel == "lanes_down") {
                row = lane % n[1]
                col = int(lane / n[1])
            }
            if (matrix == 1) touch(4 * (kernel == "lanes_down" ? row : 64 * row), 4)
            if (matrix == 2) touch(4 * (kernel == "b_sideways" ? 64 * col : col), 4)
            if (matrix == 3) touch(4 * (128 * row + col), 4)
        }
        text = text " " count(sector)
    }
    print text
}
