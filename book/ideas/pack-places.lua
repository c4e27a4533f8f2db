-- Where a tensor map's swizzles put the packs of a tile: eight lines of 128 bytes, a square for each place of 16 bytes, in it the number of the pack
-- within its row. Pack 1 of the first eight rows stands out.
return 206, 412, function(c, draw, of, phone)
    local right, down = phone and { count = 2, step = 178 } or { count = 4, step = 178 }, phone and 206 or 0
    local s = 19
    local function tile(number, title, rows, row_packs, mask)
        local x, y = 16, 44
        c:origin(number % right.count * right.step, number // right.count * down)
        c:text(x, 18, title, { class = "bold" })
        c:text(x, 34, rows, { class = "small" })
        for line = 0, 7 do
            for place = 0, 7 do
                local at = place ~ line & mask -- of the line, before it was swizzled
                local row, pack = line * 8 // row_packs + at // row_packs, at % row_packs
                c:box(x + place * s + 0.5, y + line * s + 0.5, s - 1, s - 1, pack == 1 and row < 8 and "used" or "idle", pack, pack == 1 and row < 8 and "inside" or "small")
            end
        end
    end
    tile(0, "none", "rows of 128 bytes", 8, 0)
    tile(1, "32 bytes", "rows of 32 bytes", 2, 1)
    tile(2, "64 bytes", "rows of 64 bytes", 4, 3)
    tile(3, "128 bytes", "rows of 128 bytes", 8, 7)
end
