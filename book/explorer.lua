--[[ explorer.lua: a figure that readers take hold of: <warp-explorer> (src/explore/explorer.js) around the figure of a run.

     ::: {.explorer #ex-stride run=stride-two columns="64 64" words="--kernel stride … --arg i32:{step}" task="…" rows=8 alt="…"}
     - Stride `step`{from=1 to=32 value=2}                  what may be moved: a number (by= its steps), or one of several words
     - Kernel `kernel`{of="stride offset" value=stride}
     The caption
     :::

     words: those of the run with {names} and {32*step} in place of what moves; without it, the run's own. At the controls' first values they must be
     the run's, so that the figure on paper is the one that the page opens with. columns: of the kernel's buffers in their order, where they are
     matrices; 0: none. task: the sentence above the controls. rows: the most that its picture takes, of four sectors or of one wavefront, wherever they
     stand; access: with which of the first warp's accesses it begins, 1 for the first, else the costliest. Right behind a `::: predict` it is covered until the prediction has been checked, or the reader asks for it. ]]
local explorer = {}
local json = dofile("book/json.lua")
local ideas = dofile("book/ideas.lua")
local widths = { u8 = 1, i8 = 1, u16 = 2, i16 = 2, u32 = 4, i32 = 4, f32 = 4, u64 = 8, i64 = 8, f64 = 8 }

local function squeeze(words) return (words:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end

local function controls_of(tools, list)
    local controls = {}
    for _, item in ipairs(list) do
        local words = item[1].content
        local code = words:remove()
        if not code or code.t ~= "Code" then tools.fail("a control without a name: %s", pandoc.utils.stringify(item)) end
        local a = code.attributes
        local control = { name = code.text, label = (pandoc.utils.stringify(pandoc.Span(words)):gsub("%s+$", "")) }
        if a.of then
            control.of = {}
            for word in a.of:gmatch("%S+") do control.of[#control.of + 1] = word end
            control.value = a.value or control.of[1]
        else
            for key, from in pairs({ from = a.from, to = a.to, value = a.value or a.from, step = a.by or "1" }) do
                control[key] = math.tointeger(tonumber(from)) or tools.fail("the control %s: %s is no whole number", code.text, tostring(from))
            end
        end
        controls[#controls + 1] = control
    end
    return controls
end

-- As explorer.js has it: whole numbers, names, + - * / and parentheses.
local function filled(tools, template, controls)
    local values = {}
    for _, control in ipairs(controls) do values[control.name] = control.value end
    return (template:gsub("{([^}]*)}", function(text)
        if values[text] then return tostring(values[text]) end
        local run = load("return " .. text:gsub("/", "//"), "words", "t", values) or tools.fail("{%s} is no expression", text)
        local good, value = pcall(run)
        if not good or math.type(value) ~= "integer" then tools.fail("{%s} is no whole number", text) end
        return tostring(value)
    end))
end

-- The buffers in their order: names, bytes of an element, columns.
local function arrays_of(tools, run, words, columns)
    local arrays, index, names = {}, 0, ideas.parameters(run, tools)
    local of = (columns or ""):gmatch("%d+")
    for argument in words:gmatch("%-%-arg (%S+)") do
        index = index + 1
        local kind = argument:match("^buf:(%w+)")
        if kind then arrays[#arrays + 1] = { label = names[index] or "argument " .. index - 1, size = widths[kind], columns = tonumber(of() or 0) } end
    end
    return arrays
end

-- Text and PTX of a file, for all pages that show it; written whole or not at all, since pages are made side by side.
local function write_program(tools, build, file)
    local name = file:gsub("/", "_")
    local path = build .. "/site/programs/" .. name .. ".js"
    local program = { path = file, source = tools.read(file), ptx = tools.read(build .. "/runs/" .. name .. ".ptx"):gsub('%.file(%s+%d+)%s+"[^"]*/', '.file%1 "') }
    local temporary = path .. "." .. tostring({}):match("%w+$")
    local out = io.open(temporary, "w") or tools.fail("%s cannot be written", path)
    out:write("(window.PROGRAMS = window.PROGRAMS || {})[", json.encode(file), "] = ", json.encode(program), ";\n")
    out:close()
    os.rename(temporary, path)
    return "programs/" .. name .. ".js"
end

-- Where each kernel stands that the words may name.
local function places_of(tools, file, words, controls)
    local places = {}
    local function add(kernel)
        local text, first = tools.cut(file, kernel)
        local _, breaks = text:gsub("\n", "")
        places[kernel] = { first, first + breaks }
    end
    local kernel = words:match("%-%-kernel (%S+)") or tools.fail("an explorer without --kernel")
    local control = kernel:match("^{(.*)}$")
    if not control then add(kernel) end
    for _, c in ipairs(controls) do
        if c.name == control then for _, choice in ipairs(c.of) do add(choice) end end
    end
    return places
end

-- figure: the Div of the run's figure, without its caption.
function explorer.blocks(div, tools, build, figure, caption)
    local a = div.attributes
    local file, _, run_words = ideas.launch(a.run or tools.fail("an explorer without run="), tools)
    if not file then tools.fail("an explorer of a run that book/runs.launches does not have: %s", a.run) end
    run_words = squeeze(run_words)
    local list = div.content[1] and div.content[1].t == "BulletList" and div.content[1].content or {}
    local controls, words = controls_of(tools, list), squeeze(a.words or run_words)
    local at_first = filled(tools, words, controls)
    if at_first ~= run_words then tools.fail("the explorer of %s begins with\n  %s\nand the run has\n  %s", a.run, at_first, run_words) end
    local description = json.encode({
        program = file, words = words, controls = #controls > 0 and controls or nil, arrays = arrays_of(tools, a.run, run_words, a.columns),
        places = places_of(tools, file, words, controls), task = a.task, rows = tonumber(a.rows), access = tonumber(a.access),
    }):gsub("</", "<\\/")
    local script = write_program(tools, build, file)
    return {
        pandoc.RawBlock("html", string.format('<script src="%s" defer></script>\n<warp-explorer id="%s"><script type="application/json">%s</script>', script,
            div.identifier, description)),
        figure,
        pandoc.RawBlock("html", "</warp-explorer>"),
        caption,
    }
end

return explorer
