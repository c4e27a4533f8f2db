-- What ldmatrix reads and whom it gives it to: the lane that points to each row, and the lane that receives each pair of elements.
return function(draw)
    local c = draw.canvas(250)
    local x0, y0, wide, high = 190, 44, 88, 22
    c:text(176, 30, "points to it", { anchor = "end", class = "bold" })
    c:text(x0, 30, "a row of 16 bytes: which lane receives the pair", { class = "bold" })
    for row = 0, 7 do
        c:text(176, y0 + row * high + 15, "lane " .. row .. " →", { anchor = "end", class = "small" })
        for pair = 0, 3 do
            c:box(x0 + pair * wide + 1, y0 + row * high + 1, wide - 2, high - 2, row == 2 and "used" or "lane", "lane " .. 4 * row + pair, row == 2 and "inside" or "small")
        end
    end
    c:legend(x0, 228, { { "used", "the row that lane 2 points to, for lanes 8 to 11" } })
    return c:svg()
end
