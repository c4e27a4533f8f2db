-- One request through the coalescer: 32 addresses become the list of the sectors that they lie in. Stride 4.
local function page(c, draw, of)
    local sectors = of.value("stride-four: global.load.sectors")
    local l = 690 / 32
    c:text(15, 18, "1. One instruction, 32 addresses", { class = "bold" })
    c:text(705, 18, "in[4 * i]: lane i wants byte 16 * i", { class = "code", anchor = "end" })
    for k = 0, 31 do
        c:box(15 + k * l + 1, 26, l - 2, 20, "lane", k, "tiny")
        c:text(15 + (k + 0.5) * l, 58, 16 * k, { anchor = "middle", class = "tiny" })
    end
    c:text(15, 88, "2. Which sector is that? Divide by 32 and drop the remainder", { class = "bold" })
    local groups = 32 / sectors
    for k = 0, 31 do
        c:text(15 + (k + 0.5) * l, 104, 16 * k // 32, { anchor = "middle", class = (16 * k // 32) % 2 == 0 and "bold" or nil })
    end
    for s = 0, sectors - 1 do c:brace(15 + s * groups * l + 3, 15 + (s + 1) * groups * l - 3, 109) end
    c:text(15, 148, "3. Each of these sectors once, however many lanes want something in it", { class = "bold" })
    local w, gap = 690 / sectors, 4
    for s = 0, sectors - 1 do
        local x = 15 + s * w + gap / 2
        c:box(x, 160, w - gap, 28, "used", s)
    end
    c:text(15, 218, "4. L1 is asked for these, and L2 for those that L1 does not have", { class = "bold" })
    c:box(15, 228, 160, 32, "spare", "L1: has it?")
    c:arrow(175, 244, 330, 244, { words = "those it has not" })
    c:box(330, 228, 160, 32, "lane", "L2")
    c:text(15, 284, string.format("The price: 1 request, %d sectors. Two lanes share each of them, and use a quarter of its bytes.", sectors))
end

-- Eight lanes in a row.
local function phone(c, draw, of)
    local sectors = of.value("stride-four: global.load.sectors")
    local l, down = 344 / 8, 58
    c:text(8, 16, "1. One instruction, 32 addresses", { class = "bold" })
    c:text(8, 32, "in[4 * i]: lane i wants byte 16 * i", { class = "code" })
    c:text(8, 54, "2. Divide by 32, drop the remainder: the sector", { class = "bold" })
    for k = 0, 31 do
        local x, y = 8 + k % 8 * l, 64 + k // 8 * down
        c:box(x + 1, y, l - 2, 18, "lane", k, "tiny")
        c:text(x + l / 2, y + 29, 16 * k, { anchor = "middle", class = "tiny" })
        c:text(x + l / 2, y + 43, 16 * k // 32, { anchor = "middle", class = (16 * k // 32) % 2 == 0 and "bold" or nil })
    end
    local together = 32 / sectors
    for s = 0, sectors - 1 do
        local x, y = 8 + s * together % 8 * l, 64 + s * together // 8 * down
        c:brace(x + 3, x + together * l - 3, y + 46)
    end
    c:text(8, 316, "3. Each sector once, however many lanes", { class = "bold" })
    c:text(8, 332, "want something in it", { class = "bold" })
    for s = 0, sectors - 1 do c:box(8 + s % 8 * l + 1, 342 + s // 8 * 28, l - 2, 24, "used", s) end
    c:text(8, 422, "4. L1 is asked, and L2 for what L1 lacks", { class = "bold" })
    c:box(8, 434, 100, 32, "spare", "L1: has it?")
    c:arrow(108, 450, 250, 450, { words = "those it has not" })
    c:box(250, 434, 100, 32, "lane", "L2")
    c:text(8, 490, string.format("The price: 1 request, %d sectors. Two lanes share", sectors))
    c:text(8, 508, "each of them, and use a quarter of its bytes.")
end

return 300, 530, function(c, draw, of, narrow) (narrow and phone or page)(c, draw, of) end
