-- A set of L1's lines: a tag for 128 bytes, four sectors that are there or not; and what three loads find.
return 222, 278, function(c, draw, of, phone)
    local left, x0, w, y0, row = phone and 4 or 14, phone and 70 or 128, phone and 68 or 88, 46, phone and 58 or 42
    c:text(left, 24, "tag", { class = "bold" })
    c:text(x0, 24, phone and "four sectors, each there or not" or "four sectors, of which each is there or is not", { class = "bold" })
    for s = 0, 3 do c:text(x0 + s * (w + 4) + w / 2, 40, (phone and "" or "bytes ") .. 32 * s .. " to " .. 32 * s + 31, { anchor = "middle", class = "tiny" }) end
    local lines = { { "line 0", { true, true, true, true } }, { "line 1", { true, false, false, false } }, { "line 40", { false, false, true, true } }, { "free", {} } }
    for k, line in ipairs(lines) do
        local y = y0 + (k - 1) * row
        c:box(left, y, phone and 60 or 100, 34, k == 4 and "off" or "ground", line[1])
        for s = 1, 4 do c:box(x0 + (s - 1) * (w + 4), y, w, 34, line[2][s] and "used" or "off", line[2][s] and "there" or nil) end
    end
    local function asks(k, words, verdict)
        local y = y0 + (k - 1) * row
        c:text(phone and left or 508, y + (phone and 48 or 14), words, {})
        c:text(phone and x0 + 12 or 508, y + (phone and 48 or 29), verdict, { class = "small" })
    end
    asks(1, "byte 100?", "hit: tag and sector")
    asks(2, "byte 160?", "the tag is there, sector 1 is not")
    asks(4, "byte 640?", "no such tag: a line is taken")
end
