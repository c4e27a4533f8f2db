-- out and factor at one place: what a compiler computes that reads the factor again, and one that keeps it.
return 212, 424, function(c, draw, of, phone)
    local second = phone and { x = 0, y = 212 } or { x = 372, y = 0 }
    local function half(x, title, note, rows)
        c:text(x, 20, title, { class = "bold" })
        c:text(x, 38, note, { class = "small" })
        for k, row in ipairs(rows) do
            local y = 54 + (k - 1) * 40
            c:text(x, y + 20, row[1], { class = "small" })
            for place = 1, 3 do
                local now = place == k - 1
                c:box(x + 130 + (place - 1) * 52, y, 48, 30, now and "late" or place == 1 and "lane" or "ground", row[place + 1])
            end
        end
    end
    half(14, "The factor is read again", "as the program says", { { "before", 3, "", "" }, { "6 = 3 × 2", 6, "", "" }, { "12 = 6 × 2", 6, 12, "" }, { "12 = 6 × 2", 6, 12, 12 } })
    c:origin(second.x, second.y)
    half(14, "The factor is kept", "as __restrict__ allows", { { "before", 3, "", "" }, { "6 = 3 × 2", 6, "", "" }, { "6 = 3 × 2", 6, 6, "" }, { "6 = 3 × 2", 6, 6, 6 } })
end
