-- The tile in the two matrices and in shared memory: block (1, 2), lane 5 of warp 7, as chapter 05 works it out.
return 356, 756, function(c, draw, of, phone)
    local cell, s = 26, 16
    local left, x1, y1, x3, y3 = phone and 4 or 14, phone and 4 or 20, 60, phone and 196 or 540, phone and 492 or 60
    local x2, y2, notes = phone and 110 or 300, phone and 274 or 76, y1 + 5 * cell + 34
    local function matrix(x, y, across, down, title, note, end_x)
        c:text(end_x or x, y - 26, title, { class = "bold", anchor = end_x and "end" })
        c:text(end_x or x, y - 11, note, { class = "small", anchor = end_x and "end" })
        for r = 0, down - 1 do for k = 0, across - 1 do c:box(x + k * cell, y + r * cell, cell, cell, "idle") end end
    end
    local function place(x, y, first, second)
        c:text(x, y, first, { class = "small" })
        c:text(x, y + 14, second, { class = "small" })
    end
    matrix(x1, y1, 5, 5, "in", "rows of 1024 floats")
    matrix(x3, y3, 6, 4, "out", "rows of 2048 floats", phone and x3 + 40)
    c:box(x1 + cell, y1 + 2 * cell, cell, cell, "lane")
    c:box(x3 + 2 * cell, y3 + cell, cell, cell, "lane")
    if not phone then c:text(x1 + cell * 2.5, y1 + 5 * cell + 16, "…", { anchor = "middle" }) end
    place(phone and x1 + 5 * cell + 12 or x1, phone and y1 + 58 or notes, "tile (1, 2): rows 64 to 95,", "columns 32 to 63")
    place(phone and left or x3, phone and y3 + 58 or notes, "its place in out: rows 32 to 63,", "columns 64 to 95")
    -- The row that warp 7 reads and the one that it writes, in the small tile.
    c:line(x1 + cell, y1 + 2 * cell + 7, x1 + 2 * cell, y1 + 2 * cell + 7, "hot")
    c:line(x3 + 2 * cell, y3 + cell + 7, x3 + 3 * cell, y3 + cell + 7, "cool")
    -- The tile in shared memory, its first 10 rows and columns.
    c:text(x2, y2 - 42, "the tile in shared memory", { class = "bold" })
    c:text(x2, y2 - 27, "[row][column], the upper left corner", { class = "small" })
    for r = 0, 9 do
        for k = 0, 9 do
            local class = r == 7 and k == 5 and "late" or r == 5 and k == 7 and "used" or r == 7 and "pale" or k == 7 and "lane" or "idle"
            c:box(x2 + k * s, y2 + r * s, s, s, class)
        end
    end
    for k = 0, 9 do
        c:text(x2 + (k + 0.5) * s, y2 - 5, k, { anchor = "middle", class = "tiny" })
        c:text(x2 - 5, y2 + (k + 0.7) * s, k, { anchor = "end", class = "tiny" })
    end
    c:text(x2 + 10.4 * s, y2 + 5.7 * s, "…", {})
    c:text(x2 + 5 * s, y2 + 10.8 * s, "…", { anchor = "middle" })
    c:arrow(x1 + 2 * cell + 2, y1 + 2 * cell + 7, x2 - 16, y2 + 7.5 * s, { class = "hot" })
    c:arrow(x2 + 8 * s + 2, y2 + 3.5 * s, x3 + 2 * cell - 2, y3 + cell + 7, { class = "cool" })
    local function step(y, title, words)
        c:text(left, y, title, { class = "bold" })
        c:prose(phone and left or 140, phone and y + 16 or y, words)
    end
    step(phone and 624 or 304, "Before the barrier", "warp 7 reads 32 floats of row 71; its lane 5 puts in(71, 37) into tile[7][5].")
    step(phone and 676 or 324, "After it", "warp 7 takes column 7; its lane 5 has tile[5][7], which is in(69, 39), for out(39, 69).")
    c:prose(left, phone and 730 or 346, string.format("Both times the 32 lanes are adjacent in global memory: %s sectors a load, %s a store.",
        of.show("turn-tile: global.load.sectors / global.load.requests"), of.show("turn-tile: global.store.sectors / global.store.requests")))
end
