--[[ slides.lua: reads a page of slides and puts what it takes from its chapter in place, before book/filter.lua sees it:

     ::: {.from id=fig-unit}                 the block of the chapter with that id
     ::: {.from predict=2}                   its second question, with the answer
     ::: {.from listing=scale_chunks}        the listing of that function
     ::: {.from table="1,048,576 points"}    the table whose first column is headed so
     ::: {.from list=in-short}               the list that follows that heading
     ::: notes                               what the teacher says and does
     ## Title {minutes=5}                    every slide says how long it takes; together they are the page's `minutes`

     With PLAN set the page becomes the plan: a table of its slides, minute by minute. ]]

local tools = dofile("book/tools.lua")
local page = PANDOC_STATE.input_files[1] or "?"
local name = page:match("([^/]+)%.md$")

local function fail(format, ...)
    io.stderr:write(page .. ": " .. string.format(format, ...) .. "\n")
    os.exit(1)
end
tools.fail = fail

local function matches(block, key, value)
    if key == "table" then return block.t == "Table" and pandoc.utils.stringify(pandoc.Div(pandoc.utils.to_simple_table(block).headers[1])) == value end
    if block.t == "Div" then
        if key == "id" then return block.identifier == value end
        if key == "predict" then return block.classes:includes("predict") end
        if key == "listing" then return block.classes:includes("listing") and block.attributes["function"] == value end
    end
    return false
end

local function list_behind(chapter, heading)
    for i, block in ipairs(chapter.blocks) do
        local next = chapter.blocks[i + 1]
        if block.t == "Header" and block.identifier == heading and next and next.t == "BulletList" then return pandoc.Div({ next }, pandoc.Attr("", { "short" })) end
    end
end

-- The block of the chapter that a fence names.
local function from(chapter, div)
    local key, value = "id", div.identifier
    for _, k in ipairs({ "predict", "listing", "table", "list" }) do if div.attributes[k] then key, value = k, div.attributes[k] end end
    if key == "list" then return list_behind(chapter, value) or fail("the chapter has no list behind %s", value) end
    local wanted, seen, found = key == "predict" and tonumber(value) or 1, 0, nil
    chapter:walk({ traverse = "topdown", Block = function(block)
        if matches(block, key, value) then
            seen = seen + 1
            if seen == wanted then found = block end
        end
    end })
    return found or fail("the chapter has no %s=%s", key, value)
end

local function minutes_of(header) return tonumber(header.attributes.minutes) or fail("the slide “%s” does not say its minutes", pandoc.utils.stringify(header)) end

-- What the chapter may type, the slides may as well.
local function with_constants(meta, chapter)
    local all = meta.constants or {}
    for key, value in pairs(chapter.meta.constants or {}) do all[key] = value end
    meta.constants = all
    return meta
end

local function plan(doc, title)
    local rows, at = {}, 0
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" then
            local minutes = minutes_of(block)
            rows[#rows + 1] = { { pandoc.Plain({ pandoc.Str(string.format("%d–%d", at, at + minutes)) }) }, { pandoc.Plain(block.content) }, {} }
            at = at + minutes
        elseif block.t == "Div" and block.classes:includes("notes") and #rows > 0 then
            rows[#rows][3] = block.content
        end
    end
    local heads = {}
    for k, text in ipairs({ "Minutes", "Slide", "What happens" }) do heads[k] = { pandoc.Plain({ pandoc.Str(text) }) } end
    local aligns = { pandoc.AlignLeft, pandoc.AlignLeft, pandoc.AlignLeft }
    doc.blocks = pandoc.List({ pandoc.Header(2, { pandoc.Str(title) }),
        pandoc.utils.from_simple_table(pandoc.SimpleTable({}, aligns, { 0.12, 0.28, 0.6 }, heads, rows)) })
    return doc
end

return { { Pandoc = function(doc)
    local chapter = pandoc.read(tools.read("chapters/" .. name .. ".md"), "markdown-smart+smart")
    local sum = 0
    for _, block in ipairs(doc.blocks) do if block.t == "Header" then sum = sum + minutes_of(block) end end
    if sum ~= tonumber(pandoc.utils.stringify(doc.meta.minutes or "0")) then fail("the slides take %d minutes, not %s", sum, pandoc.utils.stringify(doc.meta.minutes or "?")) end
    local number = name:match("^%d+")
    doc.meta.title = chapter.meta.title
    if os.getenv("PLAN") then return plan(doc, number .. " " .. pandoc.utils.stringify(chapter.meta.title)) end
    doc.meta = with_constants(doc.meta, chapter)
    return doc:walk({
        Div = function(div) if div.classes:includes("from") then return from(chapter, div) end end,
        Header = function(header)
            header.attributes.minutes = nil
            return header
        end,
    })
end } }
