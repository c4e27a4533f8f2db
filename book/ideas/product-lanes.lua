-- C = A × B, one step of the sum: what 32 lanes want of A and of B when they lie down a column of C and along a row of it.
return 380, 530, function(c, draw, of, phone)
    local s, size = 13, 8
    local function matrix(x, y, name, class)
        c:text(x + size * s / 2, y - 6, name, { anchor = "middle", class = "bold" })
        for r = 0, size - 1 do for k = 0, size - 1 do c:box(x + k * s, y + r * s, s, s, class(r, k) or "idle") end end
    end
    local function count(run) return of.value(run .. ": global.load.sectors") end
    local function plural(number) return string.format("%d sector%s", number, number == 1 and "" or "s") end
    local left, xa, step = phone and 4 or 14, phone and 4 or 60, phone and 124 or 156
    local function half(y, title, along, a, b, store)
        local between, notes = (step - size * s) / 2, y + (phone and 158 or 60)
        c:text(left, y, title, { class = "bold" })
        matrix(xa, y + 34, "A(row, 3)", function(r, k) return k == 3 and (along and r == 2 or not along) and "used" end)
        c:text(xa + size * s + between, y + 34 + size * s / 2 + 5, "×", { anchor = "middle", class = "title" })
        matrix(xa + step, y + 34, "B(3, col)", function(r, k) return r == 3 and (not along and k == 5 or along) and "used" end)
        c:text(xa + step + size * s + between, y + 34 + size * s / 2 + 5, "→", { anchor = "middle", class = "title" })
        matrix(xa + 2 * step, y + 34, "C(row, col)", function(r, k) return (along and r == 2 or not along and k == 5) and "late" end)
        local x = phone and left or 506
        c:text(x, notes, "A: " .. plural(count(a)), {})
        c:text(x, notes + 20, "B: " .. plural(count(b)), {})
        c:text(x, notes + 40, string.format("C: %d when it is stored", of.value(store .. ": global.store.sectors")), {})
        c:text(x, notes + 64, along and "one float for all, 32 neighbours" or "a row of A for each lane", { class = "small" })
    end
    half(20, "Lanes down a column of C", false, "a-down", "b-down", "c-down")
    half(phone and 274 or 206, "Lanes along a row of C", true, "a-along", "b-along", "c-along")
    c:legend(left, phone and 512 or 364, { { "late", "what the lanes make" }, { "used", "what they want in step 3" } })
end
