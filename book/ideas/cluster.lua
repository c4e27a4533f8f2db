-- Two blocks of a cluster on two SMs: what each reads of its own shared memory, of the other's, of L2. Cycles of a load, measured.
return 256, 256, function(c, draw, of, phone)
    local wide, gap = phone and 140 or 260, phone and 52 or 170
    local function cycles(from) return of.show("h200-neighbours/latency/" .. from .. ": cycles", 0) .. " cycles" end
    local right = wide + gap
    for k = 0, 1 do
        local x = 14 + k * right
        c:box(x, 30, wide, 122, "off")
        c:text(x + 10, 22, "an SM, with block " .. k, { class = "bold" })
        c:box(x + 14, 44, wide - 28, 26, "lane", "threads")
        c:box(x + 14, 112, wide - 28, 28, "spare", "shared memory")
    end
    c:arrow(14 + wide / 4, 112, 14 + wide / 4, 70, { words = cycles("own") })
    c:arrow(14 + right + 24, 112, 14 + wide - 34, 70, { class = "hot" })
    c:text(14 + wide + gap / 2, gap > 100 and 126 or 176, (gap > 100 and "" or "a neighbour's: ") .. cycles("neighbour"), { anchor = "middle", class = "small" })
    c:box(14, 216, right + wide, 28, "ground", "L2, for all SMs")
    c:arrow(14 + wide / 4, 216, 14 + wide / 4, 152, { words = cycles("l2") })
end
