-- A ring of four buffers over time: what is asked for, has arrived, is used. A bar is a copy, from the request to the wait that it lets go.
return function(draw)
    local c = draw.canvas(250)
    local x0, step, y0 = 130, 66, 44
    c:text(14, 22, "One buffer: each tile is asked for, waited for, used", { class = "bold" })
    for k = 0, 2 do
        local x = x0 + k * 3 * step
        c:box(x, y0, 2.4 * step - 4, 18, "used", "copy of tile " .. k, "inner")
        c:box(x + 2.4 * step, y0, 0.6 * step - 4, 18, "good", "use", "inner")
    end
    c:text(14, y0 + 13, "buffer 0", { class = "small" })
    c:text(14, 98, "Four buffers: the next three copies are in flight while one tile is used", { class = "bold" })
    local wide = 0.8 * step
    for tile = 0, 8 do
        local b, x = tile % 4, x0 + math.max(0, tile - 3) * wide
        local until_x = x0 + (tile + 1) * wide
        local y = 110 + b * 24
        if until_x + 0.6 * step < 716 then
            c:box(x + (tile > 3 and 0.6 * step or 0), y, until_x - x - (tile > 3 and 0.6 * step or 0) - 2, 18, "used", "" .. tile, "inner")
            c:box(until_x, y, 0.6 * step - 2, 18, "good")
        end
    end
    for b = 0, 3 do c:text(14, 123 + b * 24, "buffer " .. b, { class = "small" }) end
    c:legend(x0, 218, { { "used", "in flight" }, { "good", "used by the block" } })
    return c:svg()
end
