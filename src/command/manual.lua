--[[ manual.lua: puts into the manual page what the program says of itself: `::: commands` becomes a list of the commands, from
     `warpscope --help`, then a section for each, from `warpscope COMMAND --help`. WARPSCOPE: the program.

In these texts the lines before the first empty one are the usage. Of the others those at the margin are paragraphs; those that begin with
two spaces are items, a term and, behind a gap of two spaces or on the next line, its text; those further in belong to the item above, or
else are an example. ]]

-- The usage, and the lines that follow it.
local function help(...)
    local words, lines = { ... }, {}
    table.insert(words, "--help")
    local usage, rest = pandoc.pipe(os.getenv("WARPSCOPE"), words, ""):match("^(.-)\n\n(.*)$")
    for line in rest:gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
    return usage:gsub("%s+", " "), lines
end

-- Words; options and `what is typed` in bold.
local function inlines(text)
    local list = pandoc.List()
    for plain, typed in (text .. "``"):gmatch("([^`]*)`([^`]*)`") do
        for space, word in plain:gmatch("(%s*)(%S*)") do
            if space ~= "" then list:insert(pandoc.Space()) end
            local option, rest = word:match("^(%-[%w-]+)(.*)$")
            if option then list:insert(pandoc.Strong(pandoc.Str(option))) end
            if (rest or word) ~= "" then list:insert(pandoc.Str(rest or word)) end
        end
        if typed ~= "" then list:insert(pandoc.Strong(pandoc.Str(typed))) end
    end
    return list
end

local function paragraph(lines) return pandoc.Para(inlines(table.concat(lines, " "))) end

local function indent(line) return #line:match("^ *") end

-- The column of the items' texts: that behind the first gap of two spaces or more.
local function column_of(lines)
    for _, line in ipairs(lines) do
        local column = line:match("^  %S.-  +()%S")
        if column and indent(line) == 2 then return column end
    end
end

local blocks

-- Lines that all begin with two spaces or more.
local function items(lines)
    local column, list, inner = column_of(lines), {}, {}
    if not column then return nil end
    for _, line in ipairs(lines) do
        if indent(line) == 2 then
            local term, text = line:match("^  (%S.-)  +(%S.*)$")
            inner = { text }
            list[#list + 1] = { inlines(term or line:sub(3)), inner }
        else
            inner[#inner + 1] = line
        end
    end
    for _, item in ipairs(list) do item[2] = { blocks(item[2], column) } end
    return pandoc.DefinitionList(list)
end

-- Lines further in than the margin that begin at `column` go on with the text above.
function blocks(lines, column)
    local result, text, deeper = pandoc.List(), {}, {}
    local function end_text()
        if #text > 0 then result:insert(paragraph(text)) end
        text = {}
    end
    local function end_deeper()
        if #deeper == 0 then return end
        local least = math.huge
        for _, line in ipairs(deeper) do least = math.min(least, indent(line)) end
        for i, line in ipairs(deeper) do deeper[i] = line:sub(least - 1) end
        local list = items(deeper)
        if list then
            end_text()
            result:insert(list)
        elseif column then
            end_text()
            for _, line in ipairs(deeper) do text[#text + 1] = line:gsub("^ +", "") end
        else
            end_text()
            result:insert(pandoc.CodeBlock((table.concat(deeper, "\n"):gsub("^  ", ""):gsub("\n  ", "\n"))))
        end
        deeper = {}
    end
    for _, line in ipairs(lines) do
        if indent(line) > 0 and not (column and indent(line) >= column - 1) then
            deeper[#deeper + 1] = line
        else
            end_deeper()
            if line == "" then end_text() else text[#text + 1] = line:gsub("^ +", "") end
        end
    end
    end_deeper()
    end_text()
    return result
end

function Div(div)
    if not div.classes:includes("commands") then return nil end
    local _, overview = help()
    local result = blocks(overview)
    for _, line in ipairs(overview) do
        local command = line:match("^  warpscope (%S+)")
        if command then
            local usage, lines = help(command)
            result:insert(pandoc.Header(2, inlines("warpscope " .. command)))
            result:insert(paragraph({ usage }))
            result:extend(blocks(lines))
        end
    end
    return result
end

function Meta(meta)
    meta.footer = pandoc.pipe(os.getenv("WARPSCOPE"), { "--version" }, ""):gsub("\n", "")
    return meta
end
