-- Staging of points of three floats: who fetches a float and who needs it.
return function(draw)
    local c = draw.canvas(236)
    local x0, cell = 120, 36
    local function row(y, label, words, class)
        c:text(14, y + 18, label, { class = "bold" })
        for k = 0, 15 do c:box(x0 + k * cell + 1, y, cell - 2, 28, class(k), words(k), "inside") end
    end
    local point = { "used", "late", "good" }
    local function colour(k) return point[(k // 3) % 3 + 1] end
    c:text(x0, 20, "the array in global memory: contiguous points of three floats", { class = "small" })
    row(28, "in", function(k) return ({ "x", "y", "z" })[k % 3 + 1] .. k // 3 end, colour)
    c:text(14, 84, "fetched by lane", { class = "small" })
    for k = 0, 15 do
        c:text(x0 + (k + 0.5) * cell, 84, k, { anchor = "middle", class = "tiny" })
        c:arrow(x0 + (k + 0.5) * cell, 90, x0 + (k + 0.5) * cell, 112)
    end
    row(114, "shared", function(k) return k end, colour)
    c:line(14, 168, 706, 168, "hot")
    c:text(14, 163, "barrier", { class = "small" })
    for k = 0, 4 do
        local x = x0 + (3 * k + 1.5) * cell
        for f = 0, 2 do c:wire(x0 + (3 * k + f + 0.5) * cell, 142, x, 196) end
        c:box(x - 40, 198, 80, 28, ({ "used", "late", "good" })[k % 3 + 1], "thread " .. k)
    end
    c:text(14, 216, "needed by", { class = "small" })
    return c:svg()
end
