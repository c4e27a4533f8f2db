-- Points in memory: an array of structures and a structure of arrays; the x that lanes 0 to 7 want.
return 262, 286, function(c, draw, of, phone)
    local cell, x0, first, second = phone and 14.4 or 27, phone and 4 or 30, 34, phone and 184 or 160
    local inside, outside = phone and "inner" or "inside", phone and "tiny" or "small"
    local names = { "x", "y", "z" }
    local function strip(y, element)
        for k = 0, 23 do
            local lane, field = element(k)
            c:box(x0 + k * cell + 0.5, y, cell - 1, 26, field == 1 and "used" or "lane", names[field] .. lane, field == 1 and inside or outside)
        end
        for s = 0, 2 do c:brace(x0 + s * 8 * cell + 2, x0 + (s + 1) * 8 * cell - 2, y + 29, s == 0 and "a sector" or nil) end
    end
    c:text(x0, 22, "Array of structures: point after point", { class = "bold" })
    strip(first, function(k) return k // 3, k % 3 + 1 end)
    c:prose(x0, first + 72, string.format("The x of 32 points lie in %s sectors. Those of the y are the same %s, and so are those of the z.",
        of.show("point-x: global.load.sectors / global.load.requests"), of.show("point-x: global.load.sectors / global.load.requests")))
    c:prose(x0, second - (phone and 27 or 12), "Structure of arrays: all x, then all y, then all z", { class = "bold" })
    local parts = { { 0, phone and 7 or 11, 1 }, { 0, 5, 2 }, { 0, 5, 3 } }
    local k = 0
    for _, part in ipairs(parts) do
        for lane = part[1], part[2] do
            c:box(x0 + k * cell + 0.5 + (part[3] - 1) * 8, second, cell - 1, 26, part[3] == 1 and "used" or "lane", names[part[3]] .. lane, part[3] == 1 and inside or outside)
            k = k + 1
        end
    end
    c:brace(x0 + 2, x0 + 8 * cell - 2, second + 29, "a sector")
    c:prose(x0, second + 76, string.format("The x of 32 points lie in %s sectors, and nothing else is in them. The arrays begin far apart.",
        of.show("unit: global.load.sectors")))
end
