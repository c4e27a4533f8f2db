-- Bytes in flight over time: one load after the other, and four at a time. A bar is a load, from the request to the answer.
return 318, 334, function(c, draw, of, phone)
    local latency = of.value("profile/h200: time.dram_cycles / time.clock_ghz")
    local left, long, x0, rounds = phone and 4 or 14, phone and 142 or 150, phone and 66 or 96, phone and 2 or 4
    local first, second = phone and 42 or 34, phone and 130 or 114
    local function row(y, words, note, at_once)
        c:text(left, y + 12, words, { class = "bold" })
        c:text(left, y + 28, note, { class = "small" })
        for round = 0, rounds - 1 do
            for k = 0, at_once - 1 do
                c:box(x0 + round * (long + 6) + k * 2, y + k * 12, long - 4, 9, "used")
            end
        end
    end
    c:prose(phone and left or x0, phone and 14 or 20, "a thread that uses each float before it asks for the next", { class = "bold" })
    row(first, "1 load", "4 bytes", 1)
    c:brace(x0, x0 + long - 4, first + 14, string.format("%.0f ns: %s cycles", latency, of.show("profile/h200: time.dram_cycles")))
    c:prose(phone and left or x0, second - (phone and 28 or 14), "the same thread, with four loads before the first use", { class = "bold" })
    row(second, "4 loads", "16 bytes", 4)
    c:prose(phone and left or x0, second + 68, "Four times as many floats have arrived in the same time. No load has become any faster.")
    -- What an SM needs.
    local need = of.value("profile/h200: time.dram_gb_s * time.dram_cycles / time.clock_ghz / sms")
    local threads = of.value("profile/h200: max_threads_per_sm")
    local y = phone and 242 or 216
    c:text(left, y, "An SM full of such threads", { class = "bold" })
    local x, width = phone and 164 or 200, phone and 188 or 400
    local scale = width / (threads * 16)
    for k, case in ipairs({ { "1 load each", 4 }, { "4 loads each", 16 } }) do
        local at = y + 12 + (k - 1) * 26
        c:text(x - 8, at + 13, case[1] .. ": " .. draw.commas(threads * case[2]) .. " bytes", { anchor = "end", class = "small" })
        c:box(x, at, threads * case[2] * scale, 18, "used")
    end
    c:line(x + need * scale, y + 6, x + need * scale, y + 66, "hot")
    c:text(phone and 356 or x + need * scale, y + 82, draw.commas(string.format("%.0f", need)) .. " bytes keep the memory busy", { anchor = phone and "end" or "middle" })
end
