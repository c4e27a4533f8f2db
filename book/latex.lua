-- latex.lua: what the pages say by classes, for LaTeX; and what keeps pages whole and full: room is asked for before short tables and listings, so
-- that none of them is torn.
local tools = dofile("book/tools.lua")
local columns = dofile("book/columns.lua")
local typography = dofile("book/typography.lua")

local function raw(text) return pandoc.RawBlock("latex", text) end

local function around(div, environment)
    local blocks = pandoc.List({ raw("\\begin{" .. environment .. "}") })
    blocks:extend(div.content)
    blocks:insert(raw("\\end{" .. environment .. "}"))
    div.content = blocks
    return div
end

-- Asks for so many lines, of what takes much of a page for its beginning only: it may go on overleaf, where a table repeats its head.
local function room(lines) return raw("\\bookroom{" .. (lines <= 16 and lines or 8) .. "}") end

local function lines_of(block)
    local _, n = block.text:gsub("\n", "\n")
    return math.ceil((n + 1) * 0.8)
end

-- A long term has a line of its own: LaTeX would not break it.
local function definitions(list)
    for _, item in ipairs(list.content) do
        if utf8.len(pandoc.utils.stringify(item[1])) > 40 then
            local blocks = pandoc.List()
            for _, entry in ipairs(list.content) do
                blocks:insert(room(5))
                blocks:insert(pandoc.Para({ pandoc.Emph(entry[1]) }))
                blocks:insert(raw("\\nopagebreak"))
                for _, meaning in ipairs(entry[2]) do blocks:insert(pandoc.BlockQuote(meaning)) end
            end
            return blocks
        end
    end
end

-- Long names may break behind a mark, where no space will do.
local special = { ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}", ["_"] = "\\_", ["%"] = "\\%", ["&"] = "\\&", ["#"] = "\\#", ["$"] = "\\$",
    ["^"] = "\\^{}", ["~"] = "\\textasciitilde{}" }

local function code(element)
    local longest = 0
    for word in element.text:gmatch("%S+") do longest = math.max(longest, #word) end
    if longest < 24 then return nil end
    local text = element.text:gsub("[\\{}_%%&#$^~]", special):gsub("%-%-", "-{}-"):gsub("([/.]+)(%w)", "%1\\penalty300{}%2"):gsub("(\\_)(%w)", "%1\\penalty300{}%2")
    return pandoc.RawInline("latex", "\\texttt{" .. text .. "}")
end

local function listing(div)
    local code, caption = div.content[1], div.content[2]
    div.content = { room(lines_of(code) + 3), raw("\\tagstructbegin{tag=Div}"), code, raw("\\nopagebreak"), caption, raw("\\tagstructend") }
    return div
end

-- tags.lua writes the widths and the class that table_of has set.
local function table_of(block)
    local simple = pandoc.utils.to_simple_table(block)
    local found = columns.of(simple)
    simple.widths = found.shares
    block = pandoc.utils.from_simple_table(simple)
    if found.small then block.classes:insert("small") end
    return { room(found.lines), block }
end

-- A heading goes to the next page with the table or listing that it stands above.
local function headings(doc)
    local blocks = pandoc.List()
    for i, block in ipairs(doc.blocks) do
        local below = doc.blocks[i + 1]
        while below and below.t == "Div" and not below.classes:includes("listing") and below.content[1] do below = below.content[1] end
        if block.t == "Header" and block.level > 1 and below then
            if below.t == "Table" then blocks:insert(room(columns.of(pandoc.utils.to_simple_table(below)).lines + 4)) end
            if below.t == "Div" and below.content[1] and below.content[1].text then blocks:insert(room(lines_of(below.content[1]) + 7)) end
        end
        blocks:insert(block)
    end
    doc.blocks = blocks
    return doc
end

return { { Pandoc = headings }, { Inlines = typography.quotes, Table = table_of }, {
    Div = function(div)
        if div.classes:includes("listing") then return listing(div) end
        if div.classes:includes("figure") then return around(div, "bookfigure") end
        if div.classes:includes("caption") then return around(div, "bookcaption") end
        if div.classes:includes("predict") then return around(div, "bookpredict") end
        if div.classes:includes("aside") then return around(div, "bookaside") end
        if div.classes:includes("aims") then return around(div, "bookaims") end
    end,
    -- A page is 100 columns wide.
    CodeBlock = function(block)
        block.text = tools.fold(block.text, 100)
        return block
    end,
    DefinitionList = definitions,
    Code = code,
    -- A figure is as wide as the text.
    Image = function(image)
        image.attributes.width = "100%"
        image.title = ""
        return image
    end,
    Para = function(para)
        if #para.content == 1 and para.content[1].t == "Image" then return pandoc.Plain(para.content) end
    end,
} }
