-- What ldmatrix reads and whom it gives it to: the lane that points to each row, and the lane that receives each pair of elements.
return 250, 250, function(c, draw, of, phone)
    local x0, y0, wide, high = phone and 84 or 190, 44, phone and 68 or 88, 22
    if phone then
        c:prose(4, 16, "Which lane points to a row of 16 bytes, and which receives each pair of it", { class = "bold" })
    else
        c:text(176, 30, "points to it", { anchor = "end", class = "bold" })
        c:text(x0, 30, "a row of 16 bytes: which lane receives the pair", { class = "bold" })
    end
    for row = 0, 7 do
        c:text(x0 - 14, y0 + row * high + 15, "lane " .. row .. " →", { anchor = "end", class = "small" })
        for pair = 0, 3 do
            c:box(x0 + pair * wide + 1, y0 + row * high + 1, wide - 2, high - 2, row == 2 and "used" or "lane", "lane " .. 4 * row + pair, row == 2 and "inside" or "small")
        end
    end
    c:legend(phone and 4 or x0, 228, { { "used", "the row that lane 2 points to, for lanes 8 to 11" } })
end
