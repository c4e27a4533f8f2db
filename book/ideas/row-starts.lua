-- Rows of 1001 floats without gaps and with a pitch of 1008: where each begins, past the beginning of a sector.
return function(draw, of)
    local c = draw.canvas(316)
    local cell, x1, x2, y0 = 17, 86, 420, 66
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
    for row = 0, 7 do c:text(x1 - 10, y0 + row * 25 + 13, "row " .. row, { anchor = "end", class = "small" }) end
    half(x1, "1001 floats, then the next row", "row r begins at float 1001 × r", 1001)
    half(x2, "1001 floats and 7 of padding", "row r begins at float 1008 × r", 1008)
    c:legend(x1, 274, { { "used", "the first 8 floats of a row, in one sector" }, { "late", "in two" }, { "lane", "floats of the row behind them" } })
    c:text(x1, 304, string.format("The first 32 floats of row 1: %s sectors on the left, %s on the right.",
        of.show("offset-one: global.load.sectors"), of.show("unit: global.load.sectors")))
    return c:svg()
end
