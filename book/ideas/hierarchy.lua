-- Where data can be: how much of it there is, how many cycles away, by the profile of the H200.
local function page(c, draw, of)
    local function p(expression, digits) return of.show("profile/h200: " .. expression, digits) end
    local function level(y, x, width, class, name, size, away)
        c:box(x, y, width, 46, class)
        c:text(x + 12, y + 20, name, { class = "bold" })
        c:text(x + 12, y + 36, size, { class = "small" })
        c:text(706, y + 20, away, { anchor = "end", class = "bold" })
    end
    c:text(706, 16, "from asking to having", { anchor = "end", class = "small" })
    c:box(14, 26, 446, 128, "off")
    c:text(24, 42, "one of " .. p("sms") .. " SMs", { class = "small" })
    level(50, 24, 200, "lane", "registers", p("registers * 4 / 1024") .. " KB, each thread its own", "at once")
    level(100, 24, 426, "spare", "L1 and shared memory", p("l1_bytes / 1024") .. " KB in one, for all blocks on this SM", p("time.l1_cycles") .. " cycles")
    c:text(250, 68, "up to " .. p("max_threads_per_sm") .. " threads,", { class = "small" })
    c:text(250, 84, "in warps of 32 lanes", { class = "small" })
    c:box(474, 26, 62, 128, "off")
    c:text(505, 94, "…", { anchor = "middle" })
    level(186, 14, 522, "lane", "L2", "60 MB, reckoned as " .. p("l2_bytes / 1024 / 1024") .. ", for all SMs", p("time.l2_cycles") .. " cycles")
    level(264, 14, 522, "ground", "the GPU's memory", p("memory_bytes / 1000000000") .. " GB; all SMs together get " .. p("time.dram_gb_s") .. " bytes a nanosecond at most",
        p("time.dram_cycles") .. " cycles")
    c:arrow(120, 186, 120, 148, { words = "sectors of 32 bytes" })
    c:arrow(120, 264, 120, 234, { words = p("l2_pairs and 64 or 32") .. " bytes at a time" })
    c:text(14, 324, "A cycle of this H200 is " .. p("1 / time.clock_ghz", 2) .. " nanoseconds at its highest clock.", { class = "small" })
end

local function phone(c, draw, of)
    local function p(expression, digits) return of.show("profile/h200: " .. expression, digits) end
    local function level(y, x, class, name, size, away)
        c:box(x, y, 360 - 2 * x, 46, class)
        c:text(x + 8, y + 19, name, { class = "bold" })
        c:text(x + 8, y + 36, size, { class = "small" })
        c:text(352 - x, y + 19, away, { anchor = "end", class = "bold" })
    end
    c:text(356, 14, "from asking to having", { anchor = "end", class = "small" })
    c:box(4, 22, 352, 132, "off")
    c:text(12, 38, "one of " .. p("sms") .. " SMs: " .. p("max_threads_per_sm") .. " threads, in warps of 32", { class = "small" })
    level(46, 12, "lane", "registers", p("registers * 4 / 1024") .. " KB, each thread its own", "at once")
    level(100, 12, "spare", "L1 and shared memory", p("l1_bytes / 1024") .. " KB in one, for all blocks on this SM", p("time.l1_cycles") .. " cycles")
    level(188, 4, "lane", "L2", "60 MB, reckoned as " .. p("l2_bytes / 1024 / 1024") .. ", for all SMs", p("time.l2_cycles") .. " cycles")
    level(270, 4, "ground", "the GPU's memory", p("memory_bytes / 1000000000") .. " GB; to all SMs at most " .. p("time.dram_gb_s") .. " bytes a nanosecond", p("time.dram_cycles") .. " cycles")
    c:arrow(90, 188, 90, 148, { words = "sectors of 32 bytes" })
    c:arrow(90, 270, 90, 236, { words = p("l2_pairs and 64 or 32") .. " bytes at a time" })
    c:text(4, 344, "A cycle of this H200 is " .. p("1 / time.clock_ghz", 2) .. " nanoseconds at its highest clock.", { class = "small" })
end

return 330, 360, function(c, draw, of, narrow) (narrow and phone or page)(c, draw, of) end
