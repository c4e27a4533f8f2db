-- Why the order of the blocks matters to the memory: blocks that run together fill many rows of out a little, or one set of rows from end to end.
return 236, 472, function(c, draw, of, phone)
    local s, size = 20, 8
    local function matrix(x, name, pick)
        c:text(x + 4 * s, 56, name, { anchor = "middle", class = "bold" })
        for r = 0, size - 1 do
            for k = 0, size - 1 do
                local number = pick(r, k)
                c:box(x + k * s, 64 + r * s, s, s, number and "used" or "idle", number, number and "inner" or nil)
            end
        end
    end
    local function along(r, k) return r == 0 and k or nil end
    local function down(r, k) return k == 0 and r or nil end
    local function half(title, run, blocks, lines)
        c:text(14, 20, title, { class = "bold" })
        c:text(14, 36, string.format("%s of a copy's speed", of.show("h200/" .. run .. ": fraction_of_copy", 2)), { class = "small" })
        matrix(14, "in", blocks)
        matrix(184, "out", lines)
    end
    half("Blocks along a row of in", "rows-4-from-the-edge", along, down)
    c:origin(phone and 0 or 368, phone and 236 or 0)
    half("Blocks down a column of in", "rows-solved", down, along)
end
