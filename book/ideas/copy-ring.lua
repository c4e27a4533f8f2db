-- A ring of four buffers over time: what is asked for, has arrived, is used. A bar is a copy, from the request to the wait that it lets go.
return 250, 250, function(c, draw, of, phone)
    local left, x0, step, y0 = phone and 4 or 14, phone and 62 or 130, phone and 32.5 or 66, 44
    c:prose(left, phone and 14 or 22, "One buffer: each tile is asked for, waited for, used", { class = "bold" })
    for k = 0, 2 do
        local x = x0 + k * 3 * step
        c:box(x, y0, 2.4 * step - 4, 18, "used", (phone and "tile " or "copy of tile ") .. k, "inner")
        c:box(x + 2.4 * step, y0, 0.6 * step - 4, 18, "good", not phone and "use" or nil, "inner")
    end
    c:text(left, y0 + 13, "buffer 0", { class = "small" })
    c:prose(left, phone and 84 or 98, "Four buffers: the next three copies are in flight while one tile is used", { class = "bold" })
    local wide = 0.8 * step
    for tile = 0, 8 do
        local b, x = tile % 4, x0 + math.max(0, tile - 3) * wide
        local until_x = x0 + (tile + 1) * wide
        local y = 110 + b * 24
        c:box(x + (tile > 3 and 0.6 * step or 0), y, until_x - x - (tile > 3 and 0.6 * step or 0) - 2, 18, "used", "" .. tile, "inner")
        c:box(until_x, y, 0.6 * step - 2, 18, "good")
    end
    for b = 0, 3 do c:text(left, 123 + b * 24, "buffer " .. b, { class = "small" }) end
    c:legend(x0, 218, { { "used", "in flight" }, { "good", "used by the block" } })
end
