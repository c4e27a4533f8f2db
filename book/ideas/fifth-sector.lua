-- A block of eight warps whose loads are shifted by one float: which sectors each wants, and who has fetched them.
return 284, 322, function(c, draw, of, phone)
    local fetched = of.value("loads-by-one: l2.read_sectors / 256")
    local left, cell, x0, y0 = phone and 4 or 14, phone and 9.2 or 18.6, phone and 54 or 84, 44
    for s = 0, fetched - 1 do
        if s % 4 == 0 then c:text(x0 + (s + 0.5) * cell, 34, s, { anchor = "middle", class = "tiny" }) end
    end
    c:text(left, 34, "sector", { class = "small" })
    for warp = 0, 7 do
        local y = y0 + warp * 24
        c:text(x0 - 10, y + 14, "warp " .. warp, { anchor = "end", class = "small" })
        for s = 0, fetched - 1 do
            if s >= 4 * warp and s <= 4 * warp + 4 then
                c:box(x0 + s * cell + 1, y, cell - 2, 18, s == 4 * warp and warp > 0 and "spare" or s == 32 and "late" or "used")
            end
        end
    end
    c:legend(phone and left or x0, y0 + 8 * 24 + 12, { { "used", "fetched" }, { "spare", "found in L1: the warp above has fetched it" }, { "late", "the excess that is left" } })
    c:prose(phone and left or x0, y0 + 8 * 24 + (phone and 62 or 42), string.format("%d sectors asked for, %d fetched; without the shift it would be %d.", 8 * 5, fetched,
        of.value("loads-aligned: l2.read_sectors / 256")))
end
