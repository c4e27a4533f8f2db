-- Bytes in flight over time: one load after the other, and four at a time. A bar is a load, from the request to the answer.
return function(draw, of)
    local c = draw.canvas(318)
    local latency = of.value("profile/h200: time.dram_cycles / time.clock_ghz")
    local long, x0 = 150, 96
    local function row(y, words, note, at_once, rounds)
        c:text(14, y + 12, words, { class = "bold" })
        c:text(14, y + 28, note, { class = "small" })
        local level = y + 12 * at_once + 8
        for round = 0, rounds - 1 do
            for k = 0, at_once - 1 do
                c:box(x0 + round * (long + 6) + k * 2, y + k * 12, long - 4, 9, "used")
            end
        end
        return level
    end
    c:text(x0, 20, "a thread that uses each float before it asks for the next", { class = "bold" })
    row(34, "1 load", "4 bytes", 1, 4)
    c:brace(x0, x0 + long - 4, 48, string.format("%.0f ns: %s cycles", latency, of.show("profile/h200: time.dram_cycles")))
    c:text(x0, 100, "the same thread, with four loads before the first use", { class = "bold" })
    row(114, "4 loads", "16 bytes", 4, 4)
    c:text(x0, 182, "Four times as many floats have arrived in the same time. No load has become any faster.")
    -- What an SM needs.
    local need = of.value("profile/h200: time.dram_gb_s * time.dram_cycles / time.clock_ghz / sms")
    local threads = of.value("profile/h200: max_threads_per_sm")
    c:text(14, 216, "An SM full of such threads", { class = "bold" })
    local x, width = 200, 400
    local scale = width / (threads * 16)
    for k, case in ipairs({ { "1 load each", 4 }, { "4 loads each", 16 } }) do
        local y = 228 + (k - 1) * 26
        c:text(x - 8, y + 13, case[1] .. ": " .. draw.commas(threads * case[2]) .. " bytes", { anchor = "end", class = "small" })
        c:box(x, y, threads * case[2] * scale, 18, "used")
    end
    c:line(x + need * scale, 222, x + need * scale, 282, "hot")
    c:text(x + need * scale, 298, draw.commas(string.format("%.0f", need)) .. " bytes keep the memory busy", { anchor = "middle" })
    return c:svg()
end
