-- L1 and the constant cache: what a warp's load costs by each, for three ways to choose addresses.
return 300, 456, function(c, draw, of, phone)
    local small = not phone and "small" or nil -- in an answer, on a phone, small is too small
    local left, x1, x2 = phone and 4 or 14, phone and 4 or 298, phone and 4 or 510
    c:text(left, 20, "what the lanes want", { class = "bold" })
    if not phone then
        c:text(x1, 20, "through L1: sectors", { class = "bold" })
        c:text(x2, 20, "constant cache: accesses", { class = "bold" })
    end
    local rows = { { "all the same float", 16, "global-same" }, { "pairs share a float", 2, "global-pairs" }, { "each a float of its own", 1, "global-each" } }
    for k, row in ipairs(rows) do
        local y = 36 + (k - 1) * (phone and 130 or 80)
        local y1, y2, wide = phone and y + 76 or y + 30, phone and y + 98 or y + 30, phone and 16 or 40
        c:text(left, y + 14, row[1])
        for lane = 0, 15 do
            local x = left + lane * 15
            c:box(x, y + 22, 13, 13, "lane")
            local target = left + (lane // row[2] + 0.5) * 15
            c:wire(x + 6.5, y + 35, target - 1, y + 52)
        end
        for word = 0, 16 // row[2] - 1 do c:box(left + word * 15, y + 53, 13, 10, "used") end
        local sectors, words = of.value(row[3] .. ": global.load.sectors"), of.value(row[3] .. ": global.load.unique_bytes / 4")
        for n = 0, 3 do c:box(x1 + n * (wide + 4), y1, wide, phone and 14 or 22, n < sectors and "used" or "off") end
        c:text(phone and 90 or x1, y1 + (phone and 11 or 38), string.format("%s%d sector%s", phone and "through L1: " or "", sectors, sectors == 1 and "" or "s"), { class = small })
        for n = 0, 31 do c:box(x2 + n * (phone and 5.3 or 6), y2, phone and 4 or 4.6, phone and 14 or 22, n < words and "late" or "off") end
        c:text(phone and 178 or x2, y2 + (phone and 11 or 38), string.format("%s%d access%s", phone and "constants: " or "", words, words == 1 and "" or "es"), { class = small })
    end
    c:prose(left, phone and 432 or 290, "The first 16 lanes of 32 are drawn; the numbers are the whole warp's.", { class = small })
end
