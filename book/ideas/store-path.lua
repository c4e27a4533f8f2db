-- What a store does: always on to L2; L1 remembers the words.
return 300, 620, function(c, draw, of, phone)
    local second = phone and { x = 0, y = 320 } or { x = 376, y = 0 }
    local hits = of.show("h200-caches/pol_store_store_ca: 100 * load_hits / load_sectors")
    local kept = of.show("stored-parts: 100 * global.load.l1_hit_sectors / global.load.sectors")
    local lost = of.show("stored-between: global.load.l1_hit_sectors")
    local function half(x, title, filled, verdict, note)
        c:text(x, 20, title, { class = "bold" })
        local w = 290 / 8
        for k = 0, 7 do c:box(x + k * w + 1, 34, w - 2, 20, filled(k) and "used" or "off") end
        c:text(x, 68, "one sector of 32 bytes, as the warp's lanes store it", { class = "small" })
        c:arrow(x + 60, 74, x + 60, 112, {})
        c:arrow(x + 230, 74, x + 230, 176, { class = "hot", words = "always" })
        c:box(x, 114, 150, 34, "spare", "L1")
        c:text(x, 162, verdict, { class = "small" })
        c:box(x, 180, 290, 34, "lane", "L2: puts the parts together")
        c:arrow(x + 145, 214, x + 145, 246, { words = "later" })
        c:box(x, 248, 290, 26, "ground", "the GPU's memory")
        c:text(x, 292, note)
    end
    half(20, "A store that fills the sector", function() return true end, "keeps it: a load can hit",
        "Loaded again on the same SM: " .. hits .. "% found.")
    c:origin(second.x, second.y)
    half(20, "A store that fills a part of it", function(k) return k % 2 == 0 end, "keeps those words, no others",
        "Loaded again: " .. kept .. "% found; the words between: " .. lost .. ".")
end
