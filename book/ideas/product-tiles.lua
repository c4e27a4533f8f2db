-- The tiles of a product go along a row of A and down a column of B, step by step.
return 212, 368, function(c, draw, of, phone)
    local s = 36
    local function grid(x, y, across, down, class)
        for r = 0, down - 1 do for k = 0, across - 1 do
            local kind, words = class(r, k)
            c:box(x + k * s, y + r * s, s, s, kind or "idle", words, kind and kind ~= "lane" and "inside" or "small")
        end end
    end
    local left, xb, xc, below = phone and 4 or 20, phone and 190 or 210, phone and 4 or 440, phone and 180 or 0 -- C stands below A
    local y = 60
    c:text(left, 22, "A, 96 × 64: 3 × 2 tiles", { class = "bold" })
    grid(left, y, 2, 3, function(r, k) if r == 1 then return k == 0 and "used" or "lane", k == 0 and "1st" or "2nd" end end)
    c:text(xb, 22, "B, 64 × 128: 2 × 4 tiles", { class = "bold" })
    grid(xb, y, 4, 2, function(r, k) if k == 2 then return r == 0 and "used" or "lane", r == 0 and "1st" or "2nd" end end)
    c:text(xc, phone and below + 16 or 22, "C, 96 × 128: one block a tile", { class = "bold" })
    grid(xc, phone and below + 28 or y, 4, 3, function(r, k) if r == 1 and k == 2 then return "late", "block" end end)
    c:arrow(left + 2, y + 1.5 * s + 12, left + 70, y + 1.5 * s + 12)
    c:arrow(xb + 2.5 * s + 12, y + 2, xb + 2.5 * s + 12, y + 2 * s - 2)
    c:text(left, 48, "step by step to the right", { class = "small" })
    c:text(xb, 48, "and downwards", { class = "small" })
    local direct, tiled = of.show("product-cols: global.load.sectors / 12288"), of.show("product-tiled: global.load.sectors / 12288", 1)
    c:prose(left, phone and 340 or 200, string.format("Sectors loaded for each result: %s without tiles, lanes along a row; %s with them.", direct, tiled))
end
