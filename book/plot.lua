--[[ plot.lua: charts as SVG, drawn by book/draw.lua (book/filter.lua has the Markdown for them).

     Both return two layouts of one chart, for a page and for a phone: 720 and 360 wide.

     plot.xy{x = "axis", y = "axis", xstep, xlog, ylog, series = {{label, points = {{x, y}…}, loose} or {label, level = y} or {label, slope = y / x}}}
     plot.bars{unit = "GB/s", bars = {{label, value, new, modelled}…}, level = {label, value}}

     A linear axis has a tick at each multiple of xstep, or of a round number. Points of a series are joined unless it is loose. Where some bars are new,
     their colour, bold words and a key tell them from the others. A level is a horizontal line, a slope one through the origin up to the highest level. ]]

local plot = {}

local draw = dofile("book/draw.lua")
local PHONE, TOP, BOTTOM = draw.PHONE, 34, 46
local number = draw.number

-- Both layouts of a chart.
local function both(lay_out, chart) return lay_out(chart, draw.WIDTH), lay_out(chart, PHONE) end

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

-- Each mark with its words behind it. On a page the last word ends where the axis does, and all stand beside the axis' name; on a phone they have lines
-- of their own, and how many pixels those take is returned.
local function legend(canvas, series, right)
    local phone, shape, y = canvas.width == PHONE, 0, 14
    local x = phone and canvas.width or right + 20
    for _, s in ipairs(series) do if s.points and not phone then x = x - draw.width(s.label) - 30 end end
    for _, s in ipairs(series) do
        if s.points then
            local long = draw.width(s.label)
            if phone and x + 10 + long > canvas.width then x, y = 14, y + 20 end
            shape = shape + 1
            mark(canvas, shape, x, y)
            canvas:text(x + 10, y + 4, s.label)
            x = x + long + 30
        end
    end
    return y - 14
end

-- Words beside a slope, above it, where they cover no mark.
local function beside_slope(canvas, from, to, marks, words)
    for _, along in ipairs({ 0.5, 0.7, 0.85, 0.3, 0.15 }) do
        local right, y = from[1] + (to[1] - from[1]) * along - 8, from[2] + (to[2] - from[2]) * along - 6
        local left = right - draw.width(words, "small")
        local free = left > from[1] -- clear of the axis' numbers
        for _, m in ipairs(marks) do free = free and (m[1] < left - 5 or m[1] > right + 5 or m[2] < y - 14 or m[2] > y + 8) end
        if free then return canvas:text(right, y, words, { anchor = "end", class = "small halo" }) end
    end
    error("no room for the words of a slope: " .. words)
end

local function xy(chart, width)
    local phone = width == PHONE
    local left, right = phone and 48 or 66, width - (phone and 22 or 20)
    local canvas = draw.canvas(phone and 400 or 360, width)
    local lines = legend(canvas, chart.series, right)
    -- A level's words have room between the highest line and the legend.
    local height, top = canvas.height, TOP + 8 + lines
    local inner_width, inner_height = right - left, height - top - BOTTOM
    local x_low, x_high = extent(chart.series, 1)
    local y_low, y_high = extent(chart.series, 2)
    local across, up = axis(x_low, x_high, chart.xlog and 2, chart.xstep), axis(y_low, y_high, chart.ylog and 10)
    local function px(x) return left + across.at(x) * inner_width end
    local function py(y) return top + (1 - up.at(y)) * inner_height end
    -- Where the numbers of all ticks would meet, every second or third has its own.
    local widest = 0
    for _, tick in ipairs(across.ticks) do widest = math.max(widest, draw.width(with_commas(tick), "small") + 4) end
    local every = math.ceil(widest * (#across.ticks - 1) / inner_width)
    for i, tick in ipairs(across.ticks) do
        canvas:line(px(tick), top, px(tick), top + inner_height, "grid")
        if (i - 1) % every == 0 then canvas:text(px(tick), top + inner_height + 16, with_commas(tick), { anchor = "middle", class = "small" }) end
    end
    for _, tick in ipairs(up.ticks) do
        canvas:line(left, py(tick), right, py(tick), "grid")
        canvas:text(left - 6, py(tick) + 4, with_commas(tick), { anchor = "end", class = "small" })
    end
    canvas:line(left, top + inner_height, right, top + inner_height, "axis")
    canvas:text(phone and width / 2 or left + inner_width / 2, height - 10, chart.x, { anchor = "middle" })
    canvas:text(10, 18, chart.y)
    local shape, marks = 0, {}
    for _, s in ipairs(chart.series) do
        if s.points then
            shape = shape + 1
            local path = {}
            for i, point in ipairs(s.points) do
                marks[#marks + 1] = { px(point[1]), py(point[2]) }
                path[i] = (i == 1 and "M" or "L") .. number(px(point[1])) .. " " .. number(py(point[2]))
            end
            if #path > 1 and not s.loose then canvas:add('<path class="wp-%d wp-line" style="fill:none" d="%s"/>', shape, table.concat(path)) end
            for _, point in ipairs(s.points) do mark(canvas, shape, px(point[1]), py(point[2])) end
        end
    end
    for _, s in ipairs(chart.series) do
        if s.level then
            canvas:line(left, py(s.level), right, py(s.level), "rule")
            canvas:text(right - 6, py(s.level) - 6, s.label, { anchor = "end", class = "small halo" })
        elseif s.slope then
            -- y = slope * x, as far as the highest level.
            local from, to = across.ticks[1], math.min(across.ticks[#across.ticks], y_high / s.slope)
            from = math.max(from, up.ticks[1] / s.slope)
            canvas:line(px(from), py(s.slope * from), px(to), py(s.slope * to), "rule")
            beside_slope(canvas, { px(from), py(s.slope * from) }, { px(to), py(s.slope * to) }, marks, s.label)
        end
    end
    return canvas:svg()
end

function plot.xy(chart) return both(xy, chart) end

-- --- bars ------------------------------------------------------------------------------------------------------------------

-- A bar is measured; what the model says of the same launch stands on it as a mark, where `modelled` has it. On a phone its words stand above it.
local function bars(chart, width)
    local phone, longest, high, any_model, any_new, any_old = width == PHONE, 0, chart.level and chart.level.value or 0, false, false, false
    for _, bar in ipairs(chart.bars) do
        longest, high = math.max(longest, draw.width(bar.label, bar.new and "bold")), math.max(high, bar.value, bar.modelled or 0)
        any_model, any_new, any_old = any_model or bar.modelled, any_new or bar.new, any_old or not bar.new
    end
    local row, room = phone and 40 or 24, phone and 16 or 0 -- room: above a bar, for its words
    local left, below = phone and 12 or math.min(330, 20 + longest), TOP + row * #chart.bars + 10
    local key = any_new and any_old
    local canvas = draw.canvas(below + (any_model and (phone and 40 or 24) or 4) + (key and 20 or 0), width)
    local scale = (width - left - (phone and 24 or 70)) / high
    canvas:text(left, 18, chart.unit)
    for i, bar in ipairs(chart.bars) do
        local y, class = TOP + row * (i - 1) + room, key and bar.new and "bold" or nil
        if phone then canvas:text(left, y - 2, bar.label, { class = class }) else canvas:text(left - 8, y + 15, bar.label, { anchor = "end", class = class }) end
        canvas:box(left, y + 3, bar.value * scale, 16, bar.new and "2" or "1")
        -- Its number stands in the bar, clear of the mark, or behind both where there is no room.
        local words = with_commas(bar.value)
        local behind, room_for = bar.value * scale, draw.width(words, "inside") + 16
        local near = bar.modelled and math.abs(bar.modelled - bar.value) * scale < room_for
        local ends = near and math.min(bar.modelled * scale, behind) or behind
        if near then behind = math.max(bar.modelled * scale, behind) end
        local inside = ends > room_for
        canvas:text(left + (inside and ends - 8 or behind + 6), y + 15, words, { anchor = inside and "end" or nil, class = inside and "inside" or "small" })
        if bar.modelled then canvas:path(string.format("M%s %sv20", number(left + bar.modelled * scale), number(y + 1)), "model") end
    end
    if any_model then
        canvas:path(string.format("M%s %sv14", number(left + 3), number(below)), "model")
        local words = { "what the emulator's model says of the same launch;", "the bars are measured" }
        if not phone then words = { table.concat(words, " ") } end
        for i, line in ipairs(words) do canvas:text(left + 12, below - 5 + 16 * i, line, { class = "small" }) end
    end
    if key then canvas:legend(left, canvas.height - 21, { { "2", "new in this chapter" }, { "1", "of chapters before" } }) end
    if chart.level then
        local x = left + chart.level.value * scale
        canvas:line(x, TOP - 6, x, TOP + row * #chart.bars + 6, "rule")
        canvas:text(x, 18, chart.level.label, { anchor = "end", class = "small" })
    end
    return canvas:svg()
end

function plot.bars(chart) return both(bars, chart) end

return plot
