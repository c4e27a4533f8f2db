-- Host and device side by side in time: who waits for whom.
local function page(c, draw)
    local host, device, height = 16, 102, 34
    c:text(12, host + 21, "host", { class = "bold" })
    c:text(12, device + 21, "device", { class = "bold" })
    c:line(70, host + height + 8, 700, host + height + 8, "grid")
    c:box(74, host, 92, height, "lane", "copy there")
    c:box(168, host, 44, height, "used", "launch")
    c:box(214, host, 146, height, "lane", "goes on with its own")
    c:box(362, host, 216, height, "off")
    c:text(470, host + 21, "copy back: waits …", { anchor = "middle" })
    c:box(580, host, 110, height, "lane", "prints the result")
    c:box(110, device, 84, height, "lane", "bytes arrive")
    c:box(214, device, 250, height, "used", "the kernel runs")
    c:box(466, device, 104, height, "lane", "bytes leave")
    c:arrow(128, host + height, 128, device, { words = "input" })
    c:arrow(190, host + height, 226, device)
    c:text(236, 84, "“run this”: the call returns at once", { class = "small" })
    c:arrow(560, device, 584, host + height, { words = "output" })
    c:arrow(74, 160, 690, 160)
    c:text(690, 178, "time", { anchor = "end", class = "small" })
end

-- Time goes down the page.
local function phone(c, draw)
    local host, device, width = 28, 206, 128
    c:text(host, 16, "host", { class = "bold" })
    c:text(device, 16, "device", { class = "bold" })
    c:box(host, 26, width, 54, "lane", "copy there")
    c:box(host, 82, width, 30, "used", "launch")
    c:box(host, 114, width, 84, "lane")
    c:text(host + width / 2, 152, "goes on with", { anchor = "middle" })
    c:text(host + width / 2, 168, "its own", { anchor = "middle" })
    c:box(host, 200, width, 122, "off", "copy back: waits …")
    c:box(host, 324, width, 40, "lane", "prints the result")
    c:box(device, 52, width, 44, "lane", "bytes arrive")
    c:box(device, 114, width, 150, "used", "the kernel runs")
    c:box(device, 266, width, 50, "lane", "bytes leave")
    c:arrow(host + width, 58, device, 66)
    c:arrow(host + width, 97, device, 122)
    c:arrow(device, 308, host + width, 332)
    c:arrow(12, 26, 12, 374)
    c:text(12, 390, "time", { class = "small" })
    c:text(356, 390, "The launch returns at once.", { anchor = "end", class = "small" })
end

return 190, 400, function(c, draw, of, narrow) (narrow and phone or page)(c, draw, of) end
