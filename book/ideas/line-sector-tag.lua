-- A set of L1's lines: a tag for 128 bytes, four sectors that are there or not; and what three loads find.
return function(draw)
    local c = draw.canvas(222)
    local x0, w, y0, row = 128, 88, 46, 42
    c:text(14, 24, "tag", { class = "bold" })
    c:text(x0, 24, "four sectors, of which each is there or is not", { class = "bold" })
    for s = 0, 3 do c:text(x0 + s * (w + 4) + w / 2, 40, "bytes " .. 32 * s .. " to " .. 32 * s + 31, { anchor = "middle", class = "tiny" }) end
    local lines = { { "line 0", { true, true, true, true } }, { "line 1", { true, false, false, false } }, { "line 40", { false, false, true, true } }, { "free", {} } }
    for k, line in ipairs(lines) do
        local y = y0 + (k - 1) * row
        c:box(14, y, 100, 34, k == 4 and "off" or "ground", line[1])
        for s = 1, 4 do c:box(x0 + (s - 1) * (w + 4), y, w, 34, line[2][s] and "used" or "off", line[2][s] and "there" or nil) end
    end
    local function asks(k, words, verdict)
        local y = y0 + (k - 1) * row + 14
        c:text(508, y, words, {})
        c:text(508, y + 15, verdict, { class = "small" })
    end
    asks(1, "byte 100?", "hit: tag and sector")
    asks(2, "byte 160?", "the tag is there, sector 1 is not")
    asks(4, "byte 640?", "no such tag: a line is taken")
    return c:svg()
end
