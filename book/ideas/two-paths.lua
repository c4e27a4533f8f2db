-- L1 and the constant cache: what a warp's load costs by each, for three ways to choose addresses.
return function(draw, of)
    local c = draw.canvas(300)
    c:text(14, 20, "what the lanes want", { class = "bold" })
    c:text(298, 20, "through L1: sectors", { class = "bold" })
    c:text(510, 20, "constant cache: accesses", { class = "bold" })
    local rows = { { "all the same float", 16, "global-same" }, { "pairs share a float", 2, "global-pairs" }, { "each a float of its own", 1, "global-each" } }
    for k, row in ipairs(rows) do
        local y = 36 + (k - 1) * 80
        c:text(14, y + 14, row[1])
        for lane = 0, 15 do
            local x = 14 + lane * 15
            c:box(x, y + 22, 13, 13, "lane")
            local target = 14 + (lane // row[2] + 0.5) * 15
            c:wire(x + 6.5, y + 35, target - 1, y + 52)
        end
        for word = 0, 16 // row[2] - 1 do c:box(14 + word * 15, y + 53, 13, 10, "used") end
        local sectors, words = of.value(row[3] .. ": global.load.sectors"), of.value(row[3] .. ": global.load.unique_bytes / 4")
        for n = 0, 3 do c:box(298 + n * 44, y + 30, 40, 22, n < sectors and "used" or "off") end
        c:text(298, y + 68, string.format("%d sector%s", sectors, sectors == 1 and "" or "s"), { class = "small" })
        for n = 0, 31 do c:box(510 + n * 6, y + 30, 4.6, 22, n < words and "late" or "off") end
        c:text(510, y + 68, string.format("%d access%s", words, words == 1 and "" or "es"), { class = "small" })
    end
    c:text(14, 290, "The first 16 lanes of 32 are drawn; the numbers are the whole warp's.", { class = "small" })
    return c:svg()
end
