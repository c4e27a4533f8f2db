-- words.lua: what a page says as it is read, with the numbers that its expressions stand for, for the search: sections of {id, title, words, bold}.
local words = {}

local function text_of(block)
    local out = {}
    local function add(text) out[#out + 1] = text end
    pandoc.walk_block(pandoc.Div({ block }), {
        Para = function(p) add(pandoc.utils.stringify(p)) end,
        Plain = function(p) add(pandoc.utils.stringify(p)) end,
        CodeBlock = function(c) add(c.text) end,
        Header = function(h) add(pandoc.utils.stringify(h)) end,
    })
    return (table.concat(out, " "):gsub("%s+", " "))
end

-- As what is in bold is looked for: small letters, no plural's s, no mark behind.
local function key(inlines) return (pandoc.utils.stringify(inlines):lower():gsub("%p$", ""):gsub("s$", "")) end

-- Each word of a glossary is found by itself; whether the list is one.
local function entries(list, sections)
    local found = false
    for _, item in ipairs(list.content) do
        local term = item[1][1]
        if term and term.t == "Span" and term.identifier ~= "" then
            sections[#sections + 1] = { id = term.identifier, title = pandoc.utils.stringify(term), words = text_of(pandoc.Div(item[2][1])), bold = "|" .. key(term) .. "|" }
            found = true
        end
    end
    return found
end

-- The sections of a page whose fences, numbers and figures have been replaced.
function words.sections(doc)
    local current = { id = "", title = "", words = "", bold = "|" } -- what stands before the first heading
    local sections = { current }
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level <= 3 then
            current = { id = block.identifier, title = pandoc.utils.stringify(block), words = "", bold = "|" }
            sections[#sections + 1] = current
        elseif block.t ~= "DefinitionList" or not entries(block, sections) then
            current.words = current.words .. " " .. text_of(block)
            pandoc.walk_block(pandoc.Div({ block }), { Strong = function(s) current.bold = current.bold .. key(s) .. "|" end })
        end
    end
    return sections
end

local function quote(text) return (string.format("%q", text):gsub("\n", " ")) end

function words.write(path, name, title, doc)
    local out = { "return {name = " .. quote(name) .. ", title = " .. quote(title) .. ", sections = {" }
    for _, s in ipairs(words.sections(doc)) do
        out[#out + 1] = string.format("{id = %s, title = %s, words = %s, bold = %s},", quote(s.id), quote(s.title), quote(s.words), quote(s.bold))
    end
    out[#out + 1] = "}}"
    local file = assert(io.open(path, "wb"))
    file:write(table.concat(out, "\n"), "\n")
    file:close()
end

return words
