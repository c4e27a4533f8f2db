-- Blocks on SMs in time: many small ones that are started one after the other, and one wave that loops.
return function(draw, of)
    local c = draw.canvas(344)
    local x0, width = 120, 580
    local function lanes(y, title, note)
        c:text(14, y - 24, title, { class = "bold" })
        c:text(14, y - 8, note, { class = "small" })
        for sm = 0, 3 do c:text(x0 - 8, y + sm * 24 + 14, "SM " .. sm, { anchor = "end", class = "small" }) end
    end
    -- A block is started every `gap`, on the SM that is free first; each works for `long`.
    local function starts(y, gap, long)
        local number = 0
        for at = 0, width - long, gap do
            c:box(x0 + at, y + number % 4 * 24 + 2, long - 2, 18, "used", number, "inner")
            number = number + 1
        end
    end
    lanes(54, "Blocks that end sooner than others begin", string.format("the device starts one block every %s ns; each of them is over in no time",
        of.show("h200-times/empty_65536_256: 1000 * time_us / 65536", 2)))
    starts(54, 20, 44)
    c:text(x0, 168, "A gap is an SM with nothing to do: there is work, but it has not been handed out.", { class = "small" })
    lanes(218, "One wave that stays", string.format("%s blocks of 256 threads, %s on each SM, go over the array in a loop",
        of.show("profile/h200: sms * (max_threads_per_sm // 256)"), of.show("profile/h200: max_threads_per_sm // 256")))
    for sm = 0, 3 do
        for k = 0, 12 do c:box(x0 + sm * 5 + k * 43, 218 + sm * 24 + 2, 42, 18, "used", k == 0 and sm or nil, "inner") end
    end
    local launch, wave = of.show("h200/copy-1: time_us", 0), of.show("h200-waves/loads_shifted_1/0: median_us", 0)
    c:text(14, 334, string.format("256 MB copied a byte at a time, measured on an H200 by events: %s µs in 1,048,576 blocks, %s µs in one wave.", launch, wave))
    return c:svg()
end
