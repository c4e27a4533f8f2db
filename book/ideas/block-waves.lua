-- Blocks on SMs in time: many small ones that are started one after the other, and one wave that loops.
return 344, 398, function(c, draw, of, phone)
    local left, x0, width = phone and 4 or 14, phone and 44 or 120, phone and 312 or 580
    local first, second = 54, phone and 250 or 218
    local function lanes(y, title, note)
        local above = phone and 39 or 24
        c:text(left, y - above, title, { class = "bold" })
        c:prose(left, y - above + 16, note, { class = "small" })
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
    lanes(first, "Blocks that end sooner than others begin", string.format("the device starts one block every %s ns; each of them is over in no time",
        of.show("h200-times/empty_65536_256: 1000 * time_us / 65536", 2)))
    starts(first, 20, 44)
    c:prose(phone and left or x0, first + 114, "A gap is an SM with nothing to do: there is work, but it has not been handed out.", { class = "small" })
    lanes(second, "One wave that stays", string.format("%s blocks of 256 threads, %s on each SM, go over the array in a loop",
        of.show("profile/h200: sms * (max_threads_per_sm // 256)"), of.show("profile/h200: max_threads_per_sm // 256")))
    for sm = 0, 3 do
        for k = 0, (width - 15) // 43 - 1 do c:box(x0 + sm * 5 + k * 43, second + sm * 24 + 2, 42, 18, "used", k == 0 and sm or nil, "inner") end
    end
    local launch, wave = of.show("h200/copy-1: time_us", 0), of.show("h200-waves/loads_shifted_1/0: median_us", 0)
    c:prose(left, second + 116, string.format("256 MB copied a byte at a time, measured on an H200 by events: %s µs in 1,048,576 blocks, %s µs in one wave.", launch, wave))
end
