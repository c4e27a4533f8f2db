-- Staging of points of three floats: who fetches a float and who needs it.
return 236, 236, function(c, draw, of, phone)
    local left, x0, cell, last = phone and 4 or 14, phone and 66 or 120, phone and 24 or 36, phone and 11 or 15
    local function row(y, label, words, class)
        c:text(left, y + 18, label, { class = "bold" })
        for k = 0, last do c:box(x0 + k * cell + 1, y, cell - 2, 28, class(k), words(k), "inside") end
    end
    local point = { "used", "late", "good" }
    local function colour(k) return point[(k // 3) % 3 + 1] end
    c:text(phone and left or x0, 20, "the array in global memory: contiguous points of three floats", { class = "small" })
    row(28, "in", function(k) return ({ "x", "y", "z" })[k % 3 + 1] .. k // 3 end, colour)
    c:text(left, 84, phone and "by lane" or "fetched by lane", { class = "small" })
    for k = 0, last do
        c:text(x0 + (k + 0.5) * cell, 84, k, { anchor = "middle", class = "tiny" })
        c:arrow(x0 + (k + 0.5) * cell, 90, x0 + (k + 0.5) * cell, 112)
    end
    row(114, "shared", function(k) return k end, colour)
    c:line(left, 168, c.width - left, 168, "hot")
    c:text(left, 163, "barrier", { class = "small" })
    for k = 0, (last - 2) // 3 do
        local x = x0 + (3 * k + 1.5) * cell
        for f = 0, 2 do c:wire(x0 + (3 * k + f + 0.5) * cell, 142, x, 196) end
        c:box(x - (phone and 33 or 40), 198, phone and 66 or 80, 28, ({ "used", "late", "good" })[k % 3 + 1], "thread " .. k)
    end
    c:text(left, 216, "needed by", { class = "small" })
end
