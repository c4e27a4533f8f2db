-- The tile in the two matrices and in shared memory: block (1, 2), lane 5 of warp 7, as chapter 05 works it out.
return function(draw, of)
    local c = draw.canvas(356)
    local function matrix(x, y, across, down, title, note)
        local cell = 26
        c:text(x, y - 26, title, { class = "bold" })
        c:text(x, y - 11, note, { class = "small" })
        for r = 0, down - 1 do for k = 0, across - 1 do c:box(x + k * cell, y + r * cell, cell, cell, "idle") end end
        return cell
    end
    local x1, y1, x2, y2, x3 = 20, 60, 300, 76, 540
    local cell = matrix(x1, y1, 5, 5, "in", "rows of 1024 floats")
    matrix(x3, y1, 6, 4, "out", "rows of 2048 floats")
    c:box(x1 + cell, y1 + 2 * cell, cell, cell, "lane")
    c:box(x3 + 2 * cell, y1 + cell, cell, cell, "lane")
    c:text(x1 + cell * 2.5, y1 + 5 * cell + 16, "…", { anchor = "middle" })
    c:text(x1, y1 + 5 * cell + 34, "tile (1, 2): rows 64 to 95,", { class = "small" })
    c:text(x1, y1 + 5 * cell + 48, "columns 32 to 63", { class = "small" })
    c:text(x3, y1 + 5 * cell + 34, "its place in out: rows 32 to 63,", { class = "small" })
    c:text(x3, y1 + 5 * cell + 48, "columns 64 to 95", { class = "small" })
    -- The row that warp 7 reads and the one that it writes, in the small tile.
    c:line(x1 + cell, y1 + 2 * cell + 7, x1 + 2 * cell, y1 + 2 * cell + 7, "hot")
    c:line(x3 + 2 * cell, y1 + cell + 7, x3 + 3 * cell, y1 + cell + 7, "cool")
    -- The tile in shared memory, its first 10 rows and columns.
    local s = 16
    c:text(x2, 34, "the tile in shared memory", { class = "bold" })
    c:text(x2, 49, "[row][column], the upper left corner", { class = "small" })
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
    c:arrow(x2 + 8 * s + 2, y2 + 3.5 * s, x3 + 2 * cell - 2, y1 + cell + 7, { class = "cool" })
    c:text(14, 304, "Before the barrier", { class = "bold" })
    c:text(140, 304, "warp 7 reads 32 floats of row 71; its lane 5 puts in(71, 37) into tile[7][5].")
    c:text(14, 324, "After it", { class = "bold" })
    c:text(140, 324, "warp 7 takes column 7; its lane 5 has tile[5][7], which is in(69, 39), for out(39, 69).")
    c:text(14, 346, string.format("Both times the 32 lanes are adjacent in global memory: %s sectors a load, %s a store.",
        of.show("turn-tile: global.load.sectors / global.load.requests"), of.show("turn-tile: global.store.sectors / global.store.requests")))
    return c:svg()
end
