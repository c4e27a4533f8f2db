-- What a single float costs at each level: what is named by a tag, what L2 sends, what memory sends.
return function(draw, of)
    local c = draw.canvas(226)
    local pair = of.value("profile/h200: l2_pairs and 64 or 32")
    local scale, x0 = 4.4, 140
    local function row(y, name, class, bytes, words)
        c:text(x0 - 12, y + 19, name, { anchor = "end" })
        c:box(x0, y, 128 * scale, 30, "off")
        c:box(x0, y, bytes * scale, 30, class)
        c:text(x0 + math.max(bytes * scale, 32 * scale) + 10, y + 19, words, { class = "small" })
    end
    for byte = 0, 128, 32 do c:text(x0 + byte * scale, 20, byte, { anchor = "middle", class = "tiny" }) end
    row(28, "the lane wants", "late", 4, "4 bytes")
    row(70, "L2 sends to L1", "used", 32, "a sector, 32 bytes")
    row(112, "memory sends to L2", "good", pair, string.format("%d bytes", pair))
    row(154, "L1's tag names", "lane", 128, "")
    c:text(x0 + 64 * scale, 173, "a line of 128 bytes, of which one sector is there", { anchor = "middle", class = "small" })
    c:text(x0, 210, "Strides of 8 floats and of 16 cost L2 the same, but not the memory behind it.")
    return c:svg()
end
