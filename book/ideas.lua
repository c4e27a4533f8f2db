--[[ ideas.lua: figures of ideas, each drawn by a file of book/ideas, and the names that a reader knows in figures of runs.

     A file of book/ideas returns the figure's height on a page, its height on a phone, and function(c, draw, of, phone), which draws it on the canvas
     c of that height, draw.WIDTH or draw.PHONE wide: draw is book/draw.lua; of.value("profile/h200: sms") is a number by the same expressions as in
     the chapters, of.show("…", digits) its text. A figure says no number of a run or of a device but by these. ]]

local draw = dofile("book/draw.lua")

local ideas = {}

-- The figure, and its layout for phones.
function ideas.draw(name, of)
    if not name:match("^[%w-]+$") then of.fail("no name of a figure: %s", name) end
    local path = "book/ideas/" .. name .. ".lua"
    local file = io.open(path) or of.fail("%s cannot be read", path)
    file:close()
    local high, higher, drawn = dofile(path)
    local page, phone = draw.canvas(high), draw.canvas(higher, draw.PHONE)
    drawn(page, draw, of, false)
    drawn(phone, draw, of, true)
    return page:svg(), phone:svg()
end

-- File, kernel and words of a run, from the line of runs.launches that names it; without the one that only asks for more figures.
function ideas.launch(run, tools)
    for line in tools.read("book/runs.launches"):gmatch("[^\n]+") do
        local name, rest = line:match("^([%w-]+):%s*(.*)$")
        if name == run then
            local path, words = rest:gsub("^fault%s+", ""):match("^(%S+)%s+(.-)%s*$")
            words = words:gsub("%s+%-%-pictures", "")
            return path, words:match("%-%-kernel%s+(%S+)"), words
        end
    end
end

-- The names of a kernel's parameters: of "const float *in, int n" in and n. Empty where its text is not found.
function ideas.parameters(run, tools)
    local path, kernel = ideas.launch(run, tools)
    local names = {}
    local file = path and io.open(path)
    local list = file and kernel and file:read("a"):match("%f[%w_]" .. kernel .. "%s*(%b())")
    if file then file:close() end
    for parameter in (list or ""):sub(2, -2):gmatch("[^,]+") do names[#names + 1] = parameter:match("([%w_]+)%s*$") end
    return names
end

-- A run's figure for readers: "'argument 0'+128" is byte 128 of the parameter's name; the head says in words what is accessed; a warp has no number
-- where it is the first. names: "in out", where the kernel's text does not say them.
function ideas.named(svg, run, names, tools)
    local list = {}
    for name in (names or ""):gmatch("%S+") do list[#list + 1] = name end
    if #list == 0 then list = ideas.parameters(run, tools) end
    local array
    svg = svg:gsub("'argument (%d+)'%+(%d+)", function(index, byte)
        local name = list[tonumber(index) + 1] or tools.fail("the figure of %s: argument %s has no name", run, index)
        array = array or name
        return string.format("%s, byte %s", name, draw.commas(byte))
    end)
    local verbs = { load = "loads from", store = "stores to", atomic = "updates" }
    return (svg:gsub(">[^<>]-:%d+, (%a+) (%a+)", function(space, kind)
        local where = space == "global" and array and "'" .. array .. "'" or space .. " memory"
        return string.format(">One warp %s %s", verbs[kind] or tools.fail("the figure of %s: what is %s?", run, kind), where)
    end):gsub("block %(0,0,0%), warp (%d+), ", function(warp) return warp == "0" and "" or "warp " .. warp .. ", " end))
end

return ideas
