-- The stretch of floats 3 to 262,152 cut in three.
return 136, 222, function(c, draw, of, phone)
    local cell, x0, y = phone and 14.4 or 17.5, phone and 6 or 30, phone and 84 or 78
    local function floats(x, from, to, class)
        for k = from, to do
            c:box(x + (k - from) * cell + 0.5, y, cell - 1, 26, class(k))
            if k < 100 then c:text(x + (k - from + 0.5) * cell, y + 17, k, { anchor = "middle", class = class(k) == "off" and "tiny" or "inner" }) end
        end
    end
    floats(x0, 0, 23, function(k) return k < 3 and "off" or k < 8 and "late" or "used" end)
    local x = phone and 36 or x0 + 24 * cell + 44
    local head = y
    if phone then y = 164 end
    c:text(x - 22, y + 18, "…", { anchor = "middle" })
    floats(x, 262144, 262155, function(k) return k < 262152 and "used" or k == 262152 and "late" or "off" end)
    for s = 0, 2 do c:brace(x0 + s * 8 * cell + 2, x0 + (s + 1) * 8 * cell - 2, head + 30, "sector " .. s) end
    c:brace(x + 2, x + 8 * cell - 2, y + 30, "the last whole sector")
    c:text(x0 + 5.5 * cell, head - 10, "head", { anchor = "middle", class = "bold" })
    c:text(x0 + 16 * cell, head - 10, phone and "body: float4" or "body: float4, from the first whole sector on", { anchor = "middle", class = "bold" })
    c:text(x + 8.5 * cell, y - 10, "tail", { anchor = "middle", class = "bold" })
    c:arrow(x0 + 4 * cell, phone and 50 or 38, x0 + 4 * cell, head - 2)
    local below = c:prose(phone and 4 or x0 + 4 * cell - 2, phone and 14 or 16, "float 4 is a multiple of 16 bytes: a float4 may begin here,", { class = "small" })
    c:prose(phone and 4 or x0 + 4 * cell - 2, phone and below or 32, "but in the middle of a sector, and so would every request behind it", { class = "small" })
end
