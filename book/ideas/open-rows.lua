-- Why the order of the blocks matters to the memory: blocks that run together fill many rows of out a little, or one set of rows from end to end.
return function(draw, of)
    local c = draw.canvas(236)
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
    c:text(14, 20, "Blocks along a row of in", { class = "bold" })
    c:text(14, 36, string.format("%s of a copy's speed", of.show("h200/rows-4-from-the-edge: fraction_of_copy", 2)), { class = "small" })
    matrix(14, "in", along)
    matrix(184, "out", down)
    c:text(382, 20, "Blocks down a column of in", { class = "bold" })
    c:text(382, 36, string.format("%s of a copy's speed", of.show("h200/rows-solved: fraction_of_copy", 2)), { class = "small" })
    matrix(382, "in", down)
    matrix(552, "out", along)
    return c:svg()
end
