--[[ plot.lua: charts as SVG, drawn by book/draw.lua (book/filter.lua has the Markdown for them).

     plot.xy{x = "axis", y = "axis", xstep, xlog, ylog, series = {{label, points = {{x, y}…}, loose} or {label, level = y} or {label, slope = y / x}}}
     plot.bars{unit = "GB/s", bars = {{label, value, new, modelled}…}, level = {label, value}}

     A linear axis has a tick at each multiple of xstep, or of a round number. Points of a series are joined unless it is loose. Where some bars are new,
     their colour, bold words and a key tell them from the others. A level is a horizontal line, a slope one through the origin up to the highest level. ]]

local plot = {}

local draw = dofile("book/draw.lua")
local WIDTH, LEFT, RIGHT, TOP, BOTTOM = draw.WIDTH, 66, 20, 34, 46
local number = draw.number

local function with_commas(value)
    local digits = (value == math.floor(value) or value >= 100) and "%.0f" or value < 1 and "%.2f" or "%.1f"
    local whole, rest = string.format(digits, value):match("^(%d+)(.*)$")
    return draw.commas(whole) .. rest
end

-- --- axes ------------------------------------------------------------------------------------------------------------------

-- {low, high, ticks, at(value) = 0 to 1}; base: of a logarithmic axis, nil for a linear one from 0.
local function axis(low, high, base, step)
    local ticks = {}
    if not base then
        if not step then
            step = 10 ^ math.floor(math.log(high, 10))
            if high / step < 2 then step = step / 5 elseif high / step < 5 then step = step / 2 end
        end
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

local function mark(canvas, shape, x, y)
    if shape == 1 then canvas:add('<circle class="wp-1" cx="%s" cy="%s" r="3.5"/>', number(x), number(y)) end
    if shape == 2 then canvas:add('<rect class="wp-2" x="%s" y="%s" width="7" height="7"/>', number(x - 3.5), number(y - 3.5)) end
    if shape == 3 then canvas:path(string.format("M%s %sl4.5 8h-9z", number(x), number(y - 5)), "3") end
end

local function extent(series, k)
    local low, high = math.huge, -math.huge
    for _, s in ipairs(series) do
        for _, point in ipairs(s.points or {}) do low, high = math.min(low, point[k]), math.max(high, point[k]) end
        if k == 2 and s.level then low, high = math.min(low, s.level), math.max(high, s.level) end
    end
    return low, high
end

-- Each mark with its words behind it; the last word ends where the axis does.
local function legend(canvas, series)
    local x, shape = WIDTH - RIGHT + 20, 0
    for _, s in ipairs(series) do if s.points then x = x - draw.width(s.label) - 30 end end
    for _, s in ipairs(series) do
        if s.points then
            shape = shape + 1
            mark(canvas, shape, x, 14)
            canvas:text(x + 10, 18, s.label)
            x = x + draw.width(s.label) + 30
        end
    end
end

function plot.xy(chart)
    -- A level's words have room between the highest line and the legend.
    local height, top = 360, TOP + 8
    local canvas = draw.canvas(height)
    local inner_width, inner_height = WIDTH - LEFT - RIGHT, height - top - BOTTOM
    local x_low, x_high = extent(chart.series, 1)
    local y_low, y_high = extent(chart.series, 2)
    local across, up = axis(x_low, x_high, chart.xlog and 2, chart.xstep), axis(y_low, y_high, chart.ylog and 10)
    local function px(x) return LEFT + across.at(x) * inner_width end
    local function py(y) return top + (1 - up.at(y)) * inner_height end
    for _, tick in ipairs(across.ticks) do
        canvas:line(px(tick), top, px(tick), top + inner_height, "grid")
        canvas:text(px(tick), top + inner_height + 16, with_commas(tick), { anchor = "middle", class = "small" })
    end
    for _, tick in ipairs(up.ticks) do
        canvas:line(LEFT, py(tick), LEFT + inner_width, py(tick), "grid")
        canvas:text(LEFT - 6, py(tick) + 4, with_commas(tick), { anchor = "end", class = "small" })
    end
    canvas:line(LEFT, top + inner_height, LEFT + inner_width, top + inner_height, "axis")
    canvas:text(LEFT + inner_width / 2, height - 10, chart.x, { anchor = "middle" })
    canvas:text(10, 18, chart.y)
    legend(canvas, chart.series)
    local shape = 0
    for _, s in ipairs(chart.series) do
        if s.points then
            shape = shape + 1
            local path = {}
            for i, point in ipairs(s.points) do path[i] = (i == 1 and "M" or "L") .. number(px(point[1])) .. " " .. number(py(point[2])) end
            if #path > 1 and not s.loose then canvas:add('<path class="wp-%d wp-line" style="fill:none" d="%s"/>', shape, table.concat(path)) end
            for _, point in ipairs(s.points) do mark(canvas, shape, px(point[1]), py(point[2])) end
        elseif s.level then
            canvas:line(LEFT, py(s.level), LEFT + inner_width, py(s.level), "rule")
            canvas:text(LEFT + inner_width - 6, py(s.level) - 6, s.label, { anchor = "end", class = "small" })
        else
            -- y = slope * x, as far as the highest level.
            local from, to = across.ticks[1], math.min(across.ticks[#across.ticks], y_high / s.slope)
            from = math.max(from, up.ticks[1] / s.slope)
            canvas:line(px(from), py(s.slope * from), px(to), py(s.slope * to), "rule")
            canvas:text((px(from) + px(to)) / 2 - 8, (py(s.slope * from) + py(s.slope * to)) / 2 - 6, s.label, { anchor = "end", class = "small" })
        end
    end
    return canvas:svg()
end

-- --- bars ------------------------------------------------------------------------------------------------------------------

-- A bar is measured; what the model says of the same launch stands on it as a mark, where `modelled` has it.
function plot.bars(chart)
    local row, longest, high, any_model, any_new, any_old = 24, 0, chart.level and chart.level.value or 0, false, false, false
    for _, bar in ipairs(chart.bars) do
        longest, high = math.max(longest, draw.width(bar.label, bar.new and "bold")), math.max(high, bar.value, bar.modelled or 0)
        any_model, any_new, any_old = any_model or bar.modelled, any_new or bar.new, any_old or not bar.new
    end
    local left, below = math.min(330, 20 + longest), TOP + row * #chart.bars + 10
    local key, height = any_new and any_old, below + (any_model and 24 or 4)
    if key then height = height + 20 end
    local canvas = draw.canvas(height)
    local scale = (WIDTH - left - 70) / high
    canvas:text(left, 18, chart.unit)
    for i, bar in ipairs(chart.bars) do
        local y = TOP + row * (i - 1)
        canvas:text(left - 8, y + 15, bar.label, { anchor = "end", class = key and bar.new and "bold" or nil })
        local long = bar.value > high / 2
        canvas:box(left, y + 3, bar.value * scale, 16, bar.new and "2" or "1")
        local clear = not long and bar.modelled and math.abs(bar.modelled - bar.value) * scale < 50 and bar.modelled > bar.value * 0.99
        local inside = long and bar.modelled and bar.modelled < bar.value and (bar.value - bar.modelled) * scale < 60
        local x = left + ((clear or inside) and bar.modelled or bar.value) * scale
        canvas:text(x + (long and -10 or 6), y + 15, with_commas(bar.value), { anchor = long and "end" or nil, class = long and "inside" or "small" })
        if bar.modelled then canvas:path(string.format("M%s %sv20", number(left + bar.modelled * scale), number(y + 1)), "model") end
    end
    if any_model then
        canvas:path(string.format("M%s %sv14", number(left + 3), number(below)), "model")
        canvas:text(left + 12, below + 11, "what the emulator's model says of the same launch; the bars are measured", { class = "small" })
    end
    if key then canvas:legend(left, height - 21, { { "2", "new in this chapter" }, { "1", "of chapters before" } }) end
    if chart.level then
        local x = left + chart.level.value * scale
        canvas:line(x, TOP - 6, x, TOP + row * #chart.bars + 6, "rule")
        canvas:text(x, 18, chart.level.label, { anchor = "end", class = "small" })
    end
    return canvas:svg()
end

return plot
