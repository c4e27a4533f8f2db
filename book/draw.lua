--[[ draw.lua: the book's drawing library, for figures of ideas (book/ideas) and for charts (book/plot.lua). The colours are those of the
     emulator's figures, read from src/report/figure.c, so that a change there reaches all figures. They are literal, for paper, with classes by
     which the page's dark colours reach them. A class that a figure does not use is not written.

     local c = draw.canvas(height, width)   720 wide where no width is given
     c:text(x, y, "words", {class = "small", anchor = "middle"})
     c:box(x, y, width, height, "lane", "words")          the words in its middle
     c:prose(x, y, "words", {…})            the same over as many lines as the canvas is narrow; the baseline behind them
     c:line(x1, y1, x2, y2, "rule"), c:arrow(x1, y1, x2, y2, {class = "flow", words = "above it"}), c:wire(x1, y1, x2, y2)
     c:origin(x, y)                         where 0, 0 is for what follows, so that two layouts may share a part
     c:brace(x1, x2, y, "words"), c:legend(x, y, {{"used", "words"}…}), c:svg() ]]

local draw = { WIDTH = 720, PHONE = 360 }

local fonts = "font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;"
local mono = "font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;"

-- Of this library alone; the rest are figure.c's.
local colours = { EMPTY = { "#a9b5c1", "#56636f" }, GRID = { "#dbe2e9", "#46525f" }, THIRD = { "#3f7d3a", "#93d19c" }, PALE = { "#f7dccf", "#4a2a18" }, SPARE = { "#dcebd8", "#22381f" } }

-- {class, the same on every page, fill, stroke}; the first holds for all texts.
local styles = {
    { "text", fonts .. "font-size:12px", "INK" },
    { "title", "font-size:13px;font-weight:bold" },
    { "code", mono .. "font-size:11px" },
    { "small", "font-size:11px", "SOFT" },
    { "tiny", "font-size:10px", "SOFT" },
    { "halo", "paint-order:stroke;stroke-width:4px", nil, "PAPER" },
    { "bold", "font-weight:bold" },
    { "inside", "font-size:11px", "INVERSE" },
    { "inner", "font-size:10px", "INVERSE" },
    { "paper", "", "PAPER" },
    { "grid", "stroke-width:1;fill:none", nil, "GRID" },
    { "axis", "stroke-width:1;fill:none", nil, "SOFT" },
    { "1", "", "USED", "USED" },
    { "2", "", "LATE", "LATE" },
    { "3", "", "THIRD", "THIRD" },
    { "line", "fill:none;stroke-width:2" },
    { "rule", "stroke-width:1.5;stroke-dasharray:6 4;fill:none", nil, "SOFT" },
    { "model", "stroke-width:2;fill:none", nil, "INK" },
    { "lane", "", "LANE", "OUTLINE" },
    { "ground", "", "GROUND", "OUTLINE" },
    { "used", "", "USED", "PAPER" },
    { "late", "", "LATE", "PAPER" },
    { "good", "", "THIRD", "PAPER" },
    { "pale", "", "PALE", "LATE" },
    { "spare", "", "SPARE", "THIRD" },
    { "off", "fill:none;stroke-dasharray:2 2", nil, "OFF" },
    { "idle", "fill:none", nil, "EMPTY" },
    { "edge", "fill:none;stroke-width:1.5", nil, "OUTLINE" },
    { "mark", "fill:none;stroke-width:2", nil, "LATE" },
    { "flow", "fill:none;stroke-width:1.5", nil, "SOFT" },
    { "flow-head", "", "SOFT" },
    { "hot", "fill:none;stroke-width:2", nil, "LATE" },
    { "hot-head", "", "LATE" },
    { "cool", "fill:none;stroke-width:2", nil, "USED" },
    { "cool-head", "", "USED" },
    { "wire", "fill:none;stroke-opacity:0.6", nil, "USED" },
    { "brace", "fill:none", nil, "SOFT" },
}

local function colour(name, dark)
    if not colours[name] then
        local file = assert(io.open("src/report/figure.c"))
        for key, light, night in file:read("a"):gmatch('%[([A-Z_]+)%] = {"(#%x+)", "(#%x+)"}') do colours[key] = { light, night } end
        file:close()
    end
    return assert(colours[name], "src/report/figure.c has no colour " .. name)[dark and 2 or 1]
end

-- Of the classes in body.
local function style_of(body)
    local used, light, night = { text = true }, {}, {}
    for classes in body:gmatch('class="([^"]*)"') do for name in classes:gmatch("wp%-([%w-]+)") do used[name] = true end end
    for _, s in ipairs(styles) do
        if used[s[1]] then
            local selector = s[1] == "text" and ".wp text" or ".wp .wp-" .. s[1]
            local function rule(dark)
                return (s[3] and "fill:" .. colour(s[3], dark) .. ";" or "") .. (s[4] and "stroke:" .. colour(s[4], dark) .. ";" or "")
            end
            light[#light + 1] = selector .. "{" .. (s[2] ~= "" and s[2] .. ";" or "") .. rule(false) .. "}"
            if s[3] or s[4] then night[#night + 1] = selector .. "{" .. rule(true) .. "}" end
        end
    end
    return "<style>\n" .. table.concat(light, "\n") .. "\n@media (prefers-color-scheme: dark){\n" .. table.concat(night, "\n") .. "\n}\n</style>"
end

function draw.number(value) return (string.format("%.1f", value):gsub("%.0$", "")) end

local n = draw.number

local function escape(text) return (tostring(text):gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")) end

-- Of "small bold" the two classes.
local function classes(names) return 'class="' .. names:gsub("[%w-]+", "wp-%0") .. '"' end

local Canvas = {}
Canvas.__index = Canvas

function draw.canvas(height, width) return setmetatable({ height = height, width = width or draw.WIDTH, left = 0, top = 0, parts = {}, texts = {}, lines = {} }, Canvas) end

function Canvas:add(format, ...) self.parts[#self.parts + 1] = string.format(format, ...) end

function Canvas:origin(x, y)
    if self.left ~= 0 or self.top ~= 0 then self:add("</g>") end
    self.left, self.top = x, y
    if x ~= 0 or y ~= 0 then self:add('<g transform="translate(%s %s)">', draw.number(x), draw.number(y)) end
end

-- A line that words must stay clear of.
function Canvas:crosses(x1, y1, x2, y2) self.lines[#self.lines + 1] = { self.left + x1, self.top + y1, self.left + x2, self.top + y2 } end

-- Pixels of a letter in the widest of the fonts, DejaVu Sans.
local letters = { tiny = 5.5, inner = 5.5, small = 5.8, ["small halo"] = 5.8, inside = 5.8, code = 6.7, bold = 7.2, title = 7.8 }

-- At most so many pixels wide.
function draw.width(words, class) return utf8.len(tostring(words)) * (letters[class] or 6.3) end

-- Words that run off the page are a mistake in the figure.
function Canvas:text(x, y, words, how)
    how = how or {}
    local width = draw.width(words, how.class)
    local left = how.anchor == "end" and x - width or how.anchor == "middle" and x - width / 2 or x
    left = left + self.left
    local base = y + self.top
    assert(left > -6 and left + width < self.width + 6 and base > 6 and base < self.height, "words that run off a figure: " .. words)
    -- Where letters certainly are, and a little below: most fonts are narrower, and few letters as high as the line.
    self.texts[#self.texts + 1] = { left = left + width * 0.08, right = left + width * 0.92, top = base - 8, bottom = base + 2, words = words }
    self:add('<text x="%s" y="%s"%s%s>%s</text>', n(x), n(y), how.anchor and ' text-anchor="' .. how.anchor .. '"' or "",
        how.class and " " .. classes(how.class) or "", escape(words):gsub("'", "’"))
end

function Canvas:prose(x, y, words, how)
    local line
    for word in words:gmatch("%S+") do
        local longer = line and line .. " " .. word or word
        if line and x + draw.width(longer, how and how.class) > self.width + 5 then
            self:text(x, y, line, how)
            y, longer = y + 15, word
        end
        line = longer
    end
    self:text(x, y, line, how)
    return y + 15
end

function Canvas:box(x, y, width, height, class, words, word_class)
    assert(self.top + y >= 0 and self.top + y + height <= self.height, "a box that runs off a figure")
    self:add('<rect %s x="%s" y="%s" width="%s" height="%s"/>', classes(class), n(x), n(y), n(width), n(height))
    if words then
        local filled = class == "used" or class == "late" or class == "good"
        self:text(x + width / 2, y + height / 2 + 4, words, { anchor = "middle", class = word_class or (filled and "inside" or nil) })
    end
end

function Canvas:line(x1, y1, x2, y2, class)
    if class ~= "grid" then self:crosses(x1, y1, x2, y2) end
    self:add('<path %s d="M%s %sL%s %s"/>', classes(class), n(x1), n(y1), n(x2), n(y2))
end

function Canvas:path(d, class) self:add('<path %s d="%s"/>', classes(class), d) end

-- how.class: flow, hot or cool; how.words stand beside its middle.
function Canvas:arrow(x1, y1, x2, y2, how)
    how = how or {}
    local class = how.class or "flow"
    local long = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
    local dx, dy = (x2 - x1) / long, (y2 - y1) / long
    self:line(x1, y1, x2 - 6 * dx, y2 - 6 * dy, class)
    self:add('<path %s d="M%s %sL%s %sL%s %sz"/>', classes(class .. "-head"), n(x2), n(y2), n(x2 - 8 * dx - 4 * dy), n(y2 - 8 * dy + 4 * dx),
        n(x2 - 8 * dx + 4 * dy), n(y2 - 8 * dy - 4 * dx))
    if how.words then
        local upright = math.abs(dy) > math.abs(dx)
        self:text((x1 + x2) / 2 + (upright and 8 or 0), (y1 + y2) / 2 + (upright and 4 or -6), how.words, { class = how.word_class or "small", anchor = not upright and "middle" or nil })
    end
end

function Canvas:wire(x1, y1, x2, y2, class)
    local bend = (y2 - y1) / 2
    local x, y = x1, y1
    for step = 1, 16 do
        local t = step / 16
        local at_x, at_y = x1 + (x2 - x1) * t * t * (3 - 2 * t), y1 + (y2 - y1) * (1.5 * t - 1.5 * t * t + t ^ 3)
        self:crosses(x, y, at_x, at_y)
        x, y = at_x, at_y
    end
    self:add('<path %s d="M%s %sC%s %s %s %s %s %s"/>', classes(class or "wire"), n(x1), n(y1), n(x1), n(y1 + bend), n(x2), n(y2 - bend), n(x2), n(y2))
end

-- Below y, or above it where up.
function Canvas:brace(x1, x2, y, words, up)
    local d = up and -5 or 5
    self:crosses(x1, y + d, x2, y + d)
    self:add('<path %s d="M%s %sv%dH%sv%d"/>', classes("brace"), n(x1), n(y), d, n(x2), -d)
    if words then self:text((x1 + x2) / 2, y + (up and -9 or 18), words, { anchor = "middle", class = "small" }) end
end

-- An entry for which the line has no room begins the next.
function Canvas:legend(left, y, entries)
    local x = left
    for _, entry in ipairs(entries) do
        local width = 19 + 5.9 * utf8.len(entry[2])
        if x > left and x + width > self.width + 5 then x, y = left, y + 18 end
        self:box(x, y, 14, 11, entry[1])
        self:text(x + 19, y + 9.5, entry[2], { class = "small" })
        x = x + width + 18
    end
end

-- A line through words is a mistake in the figure as well: an arrow, a wire, a brace.
function Canvas:check_lines()
    for _, a in ipairs(self.lines) do
        local steps = math.max(1, math.ceil(math.max(math.abs(a[3] - a[1]), math.abs(a[4] - a[2])) / 4)) -- of 4 pixels at most
        for _, t in ipairs(self.texts) do
            for step = 0, steps do
                local x, y = a[1] + (a[3] - a[1]) * step / steps, a[2] + (a[4] - a[2]) * step / steps
                assert(x < t.left or x > t.right or y < t.top or y > t.bottom, "a line that crosses words: " .. t.words)
            end
        end
    end
end

function Canvas:svg()
    self:origin(0, 0)
    self:check_lines()
    local body = string.format('<rect class="wp-paper" width="%d" height="%d"/>\n%s', self.width, self.height, table.concat(self.parts, "\n"))
    return string.format('<svg xmlns="http://www.w3.org/2000/svg" class="wp" width="%d" height="%d" viewBox="0 0 %d %d">\n%s\n%s\n</svg>\n',
        self.width, self.height, self.width, self.height, style_of(body), body)
end

-- 1,048,576
function draw.commas(whole) return (tostring(whole):reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")) end

return draw
