-- Grid, block, warp, lane: how thread 5 of block 2 gets the number 517.
local function page(c, draw)
    local threads, blocks, lanes = 256, 4, 32
    local warps = threads // lanes
    local width = 690 / blocks
    c:text(15, 20, "the grid: 4 blocks of 256 threads", { class = "bold" })
    for b = 0, blocks - 1 do
        c:box(15 + b * width + 2, 28, width - 4, 34, b == 2 and "used" or "lane", "block " .. b)
    end
    local from, to = 15 + 2 * width, 15 + 3 * width
    c:path(string.format("M%s 62L15 108M%s 62L705 108", draw.number(from + 2), draw.number(to - 2)), "flow")
    c:text(360, 98, "block 2: 8 warps of 32 threads", { class = "bold", anchor = "middle" })
    local w = 690 / warps
    for k = 0, warps - 1 do
        c:box(15 + k * w + 2, 108, w - 4, 34, k == 0 and "used" or "lane")
        c:text(15 + (k + 0.5) * w, 122, "warp " .. k, { anchor = "middle", class = k == 0 and "inside" or nil })
        c:text(15 + (k + 0.5) * w, 136, k * 32 .. " to " .. k * 32 + 31, { anchor = "middle", class = k == 0 and "inner" or "tiny" })
    end
    c:path(string.format("M17 142L15 190M%s 142L705 190", draw.number(15 + w - 2)), "flow")
    c:text(60, 182, "warp 0 of it: 32 lanes, one instruction for all of them", { class = "bold" })
    local l = 690 / lanes
    for k = 0, lanes - 1 do
        c:box(15 + k * l + 1, 190, l - 2, 22, k == 5 and "late" or "lane", k, k == 5 and "inner" or "tiny")
    end
    local x = 15 + 5.5 * l
    c:arrow(x, 240, x, 214, { class = "hot" })
    c:text(x - 10, 256, "threadIdx.x 5 of blockIdx.x 2:  i = 2 × 256 + 5 = " .. 2 * threads + 5, { class = "code" })
end

-- The same with less in a row.
local function phone(c, draw)
    c:text(8, 18, "the grid: 4 blocks of 256 threads", { class = "bold" })
    for b = 0, 3 do c:box(8 + b * 86 + 1, 26, 84, 30, b == 2 and "used" or "lane", "block " .. b) end
    c:path("M181 56L8 104M265 56L352 104", "flow")
    c:text(180, 96, "block 2: 8 warps of 32", { class = "bold", anchor = "middle" })
    for k = 0, 7 do
        local x, y = 8 + k % 4 * 86, 104 + k // 4 * 38
        c:box(x + 1, y, 84, 34, k == 0 and "used" or "lane")
        c:text(x + 43, y + 14, "warp " .. k, { anchor = "middle", class = k == 0 and "inside" or nil })
        c:text(x + 43, y + 28, k * 32 .. " to " .. k * 32 + 31, { anchor = "middle", class = k == 0 and "inner" or "tiny" })
    end
    c:text(8, 206, "warp 0 of it: 32 lanes,", { class = "bold" })
    c:text(8, 222, "one instruction for all of them", { class = "bold" })
    for k = 0, 31 do c:box(8 + k % 8 * 43 + 1, 234 + k // 8 * 28, 41, 24, k == 5 and "late" or "lane", k, k == 5 and "inner" or "tiny") end
    c:text(8, 370, "threadIdx.x 5 of blockIdx.x 2 is lane 5 here:", { class = "small" })
    c:text(8, 390, "i = 2 × 256 + 5 = " .. 2 * 256 + 5, { class = "code" })
end

return 270, 420, function(c, draw, of, narrow) (narrow and phone or page)(c, draw, of) end
