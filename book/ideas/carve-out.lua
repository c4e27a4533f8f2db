-- L1 and shared memory are one piece of memory, cut at one of a few places: what the blocks of a kernel take, L1 loses. By the profile of the H200.
return 226, 304, function(c, draw, of, phone)
    local total = of.value("profile/h200: l1_bytes / 1024")
    local x0, width, left = phone and 4 or 250, phone and 352 or 440, phone and 4 or 14
    local function scale(kb) return kb * width / total end
    local cuts = {}
    for k = 1, of.value("profile/h200: #carveout_kb") do cuts[k] = of.value(string.format("profile/h200: carveout_kb[%d]", k)) end
    local spare = of.value("profile/h200: shared_reserved / 1024")
    c:text(x0, 18, string.format("%d KB of an SM, cut at one of %d places", total, #cuts), { class = "bold" })
    for _, cut in ipairs(cuts) do
        c:line(x0 + scale(cut), 26, x0 + scale(cut), 36, "axis")
        c:text(x0 + scale(cut), 48, cut, { anchor = "middle", class = "tiny" })
    end
    local function bar(y, words, note, tile)
        c:text(left, phone and y - 20 or y + 14, words)
        local used = of.value("profile/h200: max_threads_per_sm") // tile.threads * (tile.bytes / 1024 + spare)
        local first = 1
        while cuts[first] < used do first = first + 1 end
        local cut = cuts[first]
        c:text(left, phone and y - 5 or y + 29, string.format("%s: %s KB, so cut at %d", note, draw.number(used), cut), { class = "small" })
        c:box(x0, y, scale(cut), 34, "lane")
        c:box(x0, y, scale(used), 34, "used")
        c:box(x0 + scale(cut), y, scale(total - cut), 34, "spare", string.format("L1: %d KB", total - cut))
    end
    local y, step = phone and 94 or 62, phone and 74 or 50
    bar(y, "eight blocks of 256 threads", "no shared memory", { threads = 256, bytes = 0 })
    bar(y + step, "two blocks of 32 × 32 threads", "4,224 bytes each", { threads = 1024, bytes = 4224 })
    bar(y + 2 * step, "sixteen blocks of 32 × 4 threads", "4,224 bytes each", { threads = 128, bytes = 4224 })
    c:legend(x0, phone and 288 or 208, { { "used", "what the blocks take" }, { "lane", "cut off for them, not taken" } })
end
