-- One warp of a transpose, stepping to the right in `in` or down: what is adjacent in one lies rows apart in the other.
return function(draw, of)
    local c = draw.canvas(382)
    local s = 17
    local function matrix(x, y, name, note, across, down, marked, class)
        c:text(x, y - 8, name, { class = "bold" })
        c:text(x + across * s, y - 8, note, { class = "small", anchor = "end" })
        for r = 0, down - 1 do for k = 0, across - 1 do c:box(x + k * s, y + r * s, s, s, marked(r, k) and class or "idle") end end
    end
    local function half(y, title, along, run)
        c:text(14, y, title, { class = "bold" })
        local x1, x2, top = 14, 350, y + 36
        matrix(x1, top, "in", "loads", 8, 6, function(r, k) return along and r == 1 or not along and k == 2 and r < 6 end, along and "used" or "late")
        matrix(x2, top, "out", "stores", 6, 8, function(r, k) return along and k == 1 or not along and r == 2 end, along and "late" or "used")
        local loads, stores = of.value(run .. ": global.load.sectors / global.load.requests"), of.value(run .. ": global.store.sectors / global.store.requests")
        c:text(x1 + 8 * s + 14, top + 30, string.format("%d sectors a load", loads))
        c:text(x1 + 8 * s + 14, top + 48, along and "4 bytes from lane to lane" or "4096 bytes from lane to lane", { class = "small" })
        c:text(x2 + 6 * s + 14, top + 30, string.format("%d sectors a store", stores))
        c:text(x2 + 6 * s + 14, top + 48, along and "8192 bytes from lane to lane" or "4 bytes from lane to lane", { class = "small" })
    end
    half(18, "The lanes step to the right", true, "turn-read")
    half(198, "The lanes step down", false, "turn-write")
    return c:svg()
end
