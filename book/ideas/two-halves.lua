-- One warp of a transpose, stepping to the right in `in` or down: what is adjacent in one lies rows apart in the other.
return 382, 486, function(c, draw, of, phone)
    local s = 17
    local function matrix(x, y, name, note, across, down, marked, class)
        c:text(x, y - 8, name, { class = "bold" })
        c:text(x + across * s, y - 8, note, { class = "small", anchor = "end" })
        for r = 0, down - 1 do for k = 0, across - 1 do c:box(x + k * s, y + r * s, s, s, marked(r, k) and class or "idle") end end
    end
    local function half(y, title, along, run)
        local x1, x2, top = phone and 4 or 14, phone and 192 or 350, y + 36
        local function words(x, across, line, small)
            local beside, below = phone and x or x + across * s + 14, top + (phone and 8 * s + 18 or 30)
            c:text(beside, below, line)
            c:text(beside, below + (phone and 16 or 18), small, { class = "small" })
        end
        c:text(x1, y, title, { class = "bold" })
        matrix(x1, top, "in", "loads", 8, 6, function(r, k) return along and r == 1 or not along and k == 2 and r < 6 end, along and "used" or "late")
        matrix(x2, top, "out", "stores", 6, 8, function(r, k) return along and k == 1 or not along and r == 2 end, along and "late" or "used")
        local loads, stores = of.value(run .. ": global.load.sectors / global.load.requests"), of.value(run .. ": global.store.sectors / global.store.requests")
        words(x1, 8, string.format("%d sectors a load", loads), along and "4 bytes from lane to lane" or "4096 bytes from lane to lane")
        words(x2, 6, string.format("%d sectors a store", stores), along and "8192 bytes from lane to lane" or "4 bytes from lane to lane")
    end
    half(18, "The lanes step to the right", true, "turn-read")
    half(phone and 262 or 198, "The lanes step down", false, "turn-write")
end
