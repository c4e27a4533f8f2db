-- The tiles of a product go along a row of A and down a column of B, step by step.
return function(draw, of)
    local c = draw.canvas(212)
    local s = 36
    local function grid(x, y, across, down, class)
        for r = 0, down - 1 do for k = 0, across - 1 do
            local kind, words = class(r, k)
            c:box(x + k * s, y + r * s, s, s, kind or "idle", words, kind and kind ~= "lane" and "inside" or "small")
        end end
    end
    local y = 60
    c:text(20, 22, "A, 96 × 64: 3 × 2 tiles", { class = "bold" })
    grid(20, y, 2, 3, function(r, k) if r == 1 then return k == 0 and "used" or "lane", k == 0 and "1st" or "2nd" end end)
    c:text(210, 22, "B, 64 × 128: 2 × 4 tiles", { class = "bold" })
    grid(210, y, 4, 2, function(r, k) if k == 2 then return r == 0 and "used" or "lane", r == 0 and "1st" or "2nd" end end)
    c:text(440, 22, "C, 96 × 128: one block a tile", { class = "bold" })
    grid(440, y, 4, 3, function(r, k) if r == 1 and k == 2 then return "late", "block" end end)
    c:arrow(22, y + 1.5 * s + 12, 90, y + 1.5 * s + 12)
    c:arrow(210 + 2.5 * s + 12, y + 2, 210 + 2.5 * s + 12, y + 2 * s - 2)
    c:text(20, 48, "step by step to the right", { class = "small" })
    c:text(210, 48, "and downwards", { class = "small" })
    local direct, tiled = of.show("product-cols: global.load.sectors / 12288"), of.show("product-tiled: global.load.sectors / 12288", 1)
    c:text(20, 200, string.format("Sectors loaded for each result: %s without tiles, lanes along a row; %s with them.", direct, tiled))
    return c:svg()
end
