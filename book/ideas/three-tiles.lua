-- In which bank the elements of a tile lie: rows of 32, rows of 33, swizzled. The first eight rows and columns; column 5 stands out.
return 282, 860, function(c, draw, of, phone)
    local right, down = phone and 0 or 234, phone and 288 or 0
    local s, size = 25, 8
    local function tile(place, title, rule, bank, run)
        local x = 30
        c:origin(place * right, place * down)
        c:text(x, 20, title, { class = "bold" })
        c:text(x, 37, rule, { class = "code" })
        for r = 0, size - 1 do
            c:text(x - 5, 50 + r * s + 17, r, { anchor = "end", class = "tiny" })
            for k = 0, size - 1 do
                c:box(x + k * s + 0.5, 50 + r * s + 0.5, s - 1, s - 1, k == 5 and "used" or "idle", bank(r, k), k == 5 and "inside" or "small")
            end
        end
        local wavefronts = of.value(run .. ": shared.store.wavefronts")
        c:text(x, 50 + size * s + 18, string.format("column of 32: %d wavefront%s", wavefronts, wavefronts == 1 and "" or "s"), { class = "bold" })
    end
    tile(0, "rows of 32 floats", "bank c", function(_, k) return k end, "words-thirty-two")
    tile(1, "rows of 33 floats", "bank (r + c) mod 32", function(r, k) return (r + k) % 32 end, "words-thirty-three")
    tile(2, "swizzled rows of 32", "bank c ^ r", function(r, k) return r ~ k end, "words-swizzled")
end
