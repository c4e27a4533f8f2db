-- What a single float costs at each level: what is named by a tag, what L2 sends, what memory sends.
return 226, 282, function(c, draw, of, phone)
    local pair = of.value("profile/h200: l2_pairs and 64 or 32")
    local scale, x0, step = phone and 2.7 or 4.4, phone and 4 or 140, phone and 54 or 42
    local function row(y, name, class, bytes, words)
        c:text(phone and x0 or x0 - 12, phone and y - 5 or y + 19, name, { anchor = not phone and "end" or nil })
        c:box(x0, y, 128 * scale, 30, "off")
        c:box(x0, y, bytes * scale, 30, class)
        c:text(x0 + math.max(bytes * scale, 32 * scale) + 10, y + 19, words, { class = "small" })
    end
    for byte = 0, 128, 32 do c:text(x0 + byte * scale, 20, byte, { anchor = "middle", class = "tiny" }) end
    local y = phone and 44 or 28
    row(y, "the lane wants", "late", 4, "4 bytes")
    row(y + step, "L2 sends to L1", "used", 32, "a sector, 32 bytes")
    row(y + 2 * step, "memory sends to L2", "good", pair, string.format("%d bytes", pair))
    row(y + 3 * step, "L1's tag names", "lane", 128, "")
    c:text(x0 + 64 * scale, y + 3 * step + 19, "a line of 128 bytes, of which one sector is there", { anchor = "middle", class = "small" })
    c:prose(x0, y + 3 * step + (phone and 52 or 56), "Strides of 8 floats and of 16 cost L2 the same, but not the memory behind it.")
end
