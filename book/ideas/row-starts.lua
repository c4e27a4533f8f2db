-- Rows of 1001 floats without gaps and with a pitch of 1008: where each begins, past the beginning of a sector.
return 316, 620, function(c, draw, of, phone)
    local cell, x1, x2, y0 = 17, phone and 62 or 86, phone and 62 or 420, 66
    local left, below = phone and 4 or x1, phone and 272 or 0 -- the second half
    local function half(x, title, note, pitch)
        c:text(x, 20, title, { class = "bold" })
        c:text(x, 38, note, { class = "small" })
        for b = 0, 1 do c:brace(x + b * 8 * cell + 2, x + (b + 1) * 8 * cell - 2, 60, nil, true) end
        for row = 0, 7 do
            local y, late = y0 + row * 25, row * pitch % 8
            for k = 0, 15 do
                c:box(x + k * cell + 1, y, cell - 2, 17, k < late and "off" or k < late + 8 and (late == 0 and "used" or "late") or "lane")
            end
        end
        c:text(x + 4 * cell, 51, "a sector", { anchor = "middle", class = "tiny" })
        c:text(x + 12 * cell, 51, "the next", { anchor = "middle", class = "tiny" })
    end
    local function rows() for row = 0, 7 do c:text(x1 - 10, y0 + row * 25 + 13, "row " .. row, { anchor = "end", class = "small" }) end end
    rows()
    half(x1, "1001 floats, then the next row", "row r begins at float 1001 × r", 1001)
    c:origin(0, below)
    if phone then rows() end
    half(x2, "1001 floats and 7 of padding", "row r begins at float 1008 × r", 1008)
    c:legend(left, 274, { { "used", "the first 8 floats of a row, in one sector" }, { "late", "in two" }, { "lane", "floats of the row behind them" } })
    c:prose(left, phone and 322 or 304, string.format("The first 32 floats of row 1: %s sectors %s, %s %s.",
        of.show("offset-one: global.load.sectors"), phone and "above" or "on the left", of.show("unit: global.load.sectors"), phone and "below" or "on the right"))
end
