--[[ plot.lua: charts as SVG, in the style of the emulator's figures (book/filter.lua has the Markdown for them). Literal colours, for
     paper; classes, so that the page's dark colours reach them.

     plot.xy{x = "axis", y = "axis", xlog, ylog, series = {{label, points = {{x, y}…}, loose} or {label, level = y} or {label, slope = y / x}}}
     plot.bars{unit = "GB/s", bars = {{label, value, new}…}, level = {label, value}}

     Points of a series are joined unless it is loose. A new bar stands out from the others. A level is a horizontal line, a slope one through the origin up to the highest level. ]]

local plot = {}

local WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 66, 20, 34, 46
local STYLE = [[<style>
.wp text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:12px;fill:#1b2733}
.wp .wp-small{font-size:11px;fill:#52606e}
.wp .wp-inside{font-size:11px;fill:#ffffff}
.wp .wp-paper{fill:#ffffff}
.wp .wp-grid{stroke:#dbe2e9;stroke-width:1;fill:none}
.wp .wp-axis{stroke:#52606e;stroke-width:1;fill:none}
.wp .wp-1{stroke:#2b6cb0;fill:#2b6cb0}
.wp .wp-2{stroke:#b93a0e;fill:#b93a0e}
.wp .wp-3{stroke:#3f7d3a;fill:#3f7d3a}
.wp .wp-line{fill:none;stroke-width:2}
.wp .wp-rule{stroke:#52606e;stroke-width:1.5;stroke-dasharray:6 4;fill:none}
@media (prefers-color-scheme: dark){
.wp text{fill:#e4e8ed}
.wp .wp-small{fill:#a3b0bd}
.wp .wp-inside{fill:#0b141d}
.wp .wp-paper{fill:#14191f}
.wp .wp-grid{stroke:#2a343e}
.wp .wp-axis{stroke:#a3b0bd}
.wp .wp-1{stroke:#6cb0f5;fill:#6cb0f5}
.wp .wp-2{stroke:#f59a57;fill:#f59a57}
.wp .wp-3{stroke:#93d19c;fill:#93d19c}
.wp .wp-rule{stroke:#a3b0bd}
}
</style>]]

local function escape(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")) end

local function number(value) return (string.format("%.1f", value):gsub("%.0$", "")) end

local function text(x, y, words, anchor, class)
    return string.format('<text x="%s" y="%s"%s%s>%s</text>', number(x), number(y), anchor and ' text-anchor="' .. anchor .. '"' or "",
        class and ' class="' .. class .. '"' or "", escape(words))
end

local function line(x1, y1, x2, y2, class)
    return string.format('<path class="%s" d="M%s %sL%s %s"/>', class, number(x1), number(y1), number(x2), number(y2))
end

local function with_commas(value)
    local digits = (value == math.floor(value) or value >= 100) and "%.0f" or value < 1 and "%.2f" or "%.1f"
    local whole, rest = string.format(digits, value):match("^(%d+)(.*)$")
    return whole:reverse():gsub("(%d%d%d)", "%1,"):gsub(",$", ""):reverse() .. rest
end

local function svg(height, parts)
    return string.format('<svg xmlns="http://www.w3.org/2000/svg" class="wp" width="%d" height="%d" viewBox="0 0 %d %d">\n%s\n<rect class="wp-paper" width="%d" height="%d"/>\n%s\n</svg>\n',
        WIDTH, height, WIDTH, height, STYLE, WIDTH, height, table.concat(parts, "\n"))
end

-- --- axes ------------------------------------------------------------------------------------------------------------------

-- {low, high, ticks, at(value) = 0 to 1}; base: of a logarithmic axis, nil for a linear one from 0.
local function axis(low, high, base)
    local ticks = {}
    if not base then
        local step = 10 ^ math.floor(math.log(high, 10))
        if high / step < 2 then step = step / 5 elseif high / step < 5 then step = step / 2 end
        high = math.ceil(high / step - 0.001) * step
        for i = 0, math.floor(high / step + 0.5) do ticks[#ticks + 1] = i * step end
        return { ticks = ticks, at = function(value) return value / high end }
    end
    local function log(value) return math.log(value, base) end
    local first, last = math.floor(log(low) + 0.001), math.ceil(log(high) - 0.001)
    if base == 10 then
        -- 1, 2, 5 of each power that lies near
        local all = {}
        for power = first, last do for _, digit in ipairs({ 1, 2, 5 }) do all[#all + 1] = digit * 10.0 ^ power end end
        local from, to = 1, #all
        while all[from + 1] <= low * 1.001 do from = from + 1 end
        while all[to - 1] and all[to - 1] >= high * 0.999 do to = to - 1 end
        for i = from, to do ticks[#ticks + 1] = all[i] end
    else
        for power = first, last do ticks[#ticks + 1] = base ^ power end
    end
    local a, b = log(ticks[1]), log(ticks[#ticks])
    return { ticks = ticks, at = function(value) return (log(value) - a) / (b - a) end }
end

-- --- points and lines ------------------------------------------------------------------------------------------------------

local function mark(shape, x, y)
    if shape == 1 then return string.format('<circle class="wp-1" cx="%s" cy="%s" r="3.5"/>', number(x), number(y)) end
    if shape == 2 then return string.format('<rect class="wp-2" x="%s" y="%s" width="7" height="7"/>', number(x - 3.5), number(y - 3.5)) end
    return string.format('<path class="wp-3" d="M%s %sl4.5 8h-9z"/>', number(x), number(y - 5))
end

local function extent(series, k)
    local low, high = math.huge, -math.huge
    for _, s in ipairs(series) do
        for _, point in ipairs(s.points or {}) do low, high = math.min(low, point[k]), math.max(high, point[k]) end
        if k == 2 and s.level then low, high = math.min(low, s.level), math.max(high, s.level) end
    end
    return low, high
end

function plot.xy(chart)
    local height, parts = 360, {}
    local inner_width, inner_height = WIDTH - LEFT - RIGHT, height - TOP - BOTTOM
    local x_low, x_high = extent(chart.series, 1)
    local y_low, y_high = extent(chart.series, 2)
    local across, up = axis(x_low, x_high, chart.xlog and 2), axis(y_low, y_high, chart.ylog and 10)
    local function px(x) return LEFT + across.at(x) * inner_width end
    local function py(y) return TOP + (1 - up.at(y)) * inner_height end
    for _, tick in ipairs(across.ticks) do
        parts[#parts + 1] = line(px(tick), TOP, px(tick), TOP + inner_height, "wp-grid")
        parts[#parts + 1] = text(px(tick), TOP + inner_height + 16, with_commas(tick), "middle", "wp-small")
    end
    for _, tick in ipairs(up.ticks) do
        parts[#parts + 1] = line(LEFT, py(tick), LEFT + inner_width, py(tick), "wp-grid")
        parts[#parts + 1] = text(LEFT - 6, py(tick) + 4, with_commas(tick), "end", "wp-small")
    end
    parts[#parts + 1] = line(LEFT, TOP + inner_height, LEFT + inner_width, TOP + inner_height, "wp-axis")
    parts[#parts + 1] = text(LEFT + inner_width / 2, height - 10, chart.x, "middle")
    parts[#parts + 1] = text(10, 18, chart.y)
    local shape, legend = 0, WIDTH - RIGHT
    local drawn = {}
    for _, s in ipairs(chart.series) do
        if s.points then
            shape = shape + 1
            local path = {}
            for i, point in ipairs(s.points) do path[i] = (i == 1 and "M" or "L") .. number(px(point[1])) .. " " .. number(py(point[2])) end
            if #path > 1 and not s.loose then drawn[#drawn + 1] = string.format('<path class="wp-%d wp-line" style="fill:none" d="%s"/>', shape, table.concat(path)) end
            for _, point in ipairs(s.points) do drawn[#drawn + 1] = mark(shape, px(point[1]), py(point[2])) end
            table.insert(drawn, 1, text(legend, 18, s.label, "end"))
            legend = legend - 6.3 * utf8.len(s.label) - 18
            table.insert(drawn, 1, mark(shape, legend + 6, 14))
            legend = legend - 16
        elseif s.level then
            drawn[#drawn + 1] = line(LEFT, py(s.level), LEFT + inner_width, py(s.level), "wp-rule")
            drawn[#drawn + 1] = text(LEFT + inner_width - 6, py(s.level) - 6, s.label, "end", "wp-small")
        else
            -- y = slope * x, as far as the highest level.
            local from, to = across.ticks[1], math.min(across.ticks[#across.ticks], y_high / s.slope)
            from = math.max(from, up.ticks[1] / s.slope)
            drawn[#drawn + 1] = line(px(from), py(s.slope * from), px(to), py(s.slope * to), "wp-rule")
            drawn[#drawn + 1] = text((px(from) + px(to)) / 2 - 8, (py(s.slope * from) + py(s.slope * to)) / 2 - 6, s.label, "end", "wp-small")
        end
    end
    for _, part in ipairs(drawn) do parts[#parts + 1] = part end
    return svg(height, parts)
end

-- --- bars ------------------------------------------------------------------------------------------------------------------

function plot.bars(chart)
    local row, longest, high = 24, 0, chart.level and chart.level.value or 0
    for _, bar in ipairs(chart.bars) do longest, high = math.max(longest, utf8.len(bar.label)), math.max(high, bar.value) end
    local left = math.min(330, 20 + 6.3 * longest)
    local height, parts = TOP + row * #chart.bars + 14, {}
    local scale = (WIDTH - left - 70) / high
    parts[1] = text(left, 18, chart.unit)
    for i, bar in ipairs(chart.bars) do
        local y = TOP + row * (i - 1)
        parts[#parts + 1] = text(left - 8, y + 15, bar.label, "end")
        local long = bar.value > high / 2
        parts[#parts + 1] = string.format('<rect class="wp-%d" x="%s" y="%s" width="%s" height="16"/>', bar.new and 2 or 1, number(left), number(y + 3), number(bar.value * scale))
        parts[#parts + 1] = text(left + bar.value * scale + (long and -6 or 6), y + 15, with_commas(bar.value), long and "end", long and "wp-inside" or "wp-small")
    end
    if chart.level then
        local x = left + chart.level.value * scale
        parts[#parts + 1] = line(x, TOP - 6, x, height - 8, "wp-rule")
        parts[#parts + 1] = text(x, 18, chart.level.label, "end", "wp-small")
    end
    return svg(height, parts)
end

return plot
