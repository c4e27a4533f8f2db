-- Why scattered loads cost less than scattered stores: eight warps use the same sectors one after the other.
return 280, 500, function(c, draw, of, phone)
    local sectors = of.value("turn-write: global.load.sectors / global.load.requests")
    local cell, x1, x2, y0 = 30, 96, phone and 96 or 440, 58
    local y, below = y0 + 4 * 26 + 36, phone and 236 or 0 -- the second half
    local function half(x, title, note, class)
        c:text(x, 20, title, { class = "bold" })
        c:text(x, 38, note, { class = "small" })
        for k = 0, 7 do c:text(x + (k + 0.5) * cell, 54, k, { anchor = "middle", class = "tiny" }) end
        for r = 0, 3 do for k = 0, 7 do c:box(x + k * cell + 1, y0 + r * 26, cell - 2, 20, class(k)) end end
        if phone or x == x1 then for r = 0, 3 do c:text(x1 - 8, y0 + r * 26 + 14, "sector of lane " .. r, { anchor = "end", class = "tiny" }) end end
    end
    half(x1, "Loads: warps 0 to 7", "each float of a sector is another warp's", function(k) return k == 0 and "late" or "spare" end)
    c:text(x1 + 4 * cell, y0 + 4 * 26 + 14, "…", { anchor = "middle" })
    c:arrow(x1 + 0.5 * cell, y0 + 4 * 26, x1 + 0.5 * cell, y + 8, { class = "hot" })
    c:box(x1, y + 10, 8 * cell, 26, "lane", string.format("L2: %d sectors", sectors))
    c:origin(0, below)
    half(x2, "Stores: warps 0 to 7", "as many floats, and each is sent by itself", function() return "late" end)
    for k = 0, 7 do c:arrow(x2 + (k + 0.5) * cell, y0 + 4 * 26, x2 + (k + 0.5) * cell, y + 8, { class = "hot" }) end
    c:box(x2, y + 10, 8 * cell, 26, "lane", string.format("L2: 8 × %d sectors", of.value("turn-read: global.store.sectors / global.store.requests")))
    c:legend(phone and 4 or x1, y + (phone and 44 or 62), { { "late", "goes to L2" }, { "spare", "found in L1, which warp 0 has filled" } })
end
