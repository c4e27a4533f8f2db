-- tags.lua: what the PDF says of its own structure, for who hears it: paragraphs, lists, tables, figures, listings. tags.tex has the commands; what
-- no command marks (running heads, rules, the head of a table that goes on overleaf) is left unread.
local function inline(text) return pandoc.RawInline("latex", text) end
local function block(text) return pandoc.RawBlock("latex", text) end

-- What stands in a cell or before an item, which has a tag of its own.
local function untagged(blocks)
    return (pandoc.write(pandoc.Pandoc(blocks), "latex", { wrap_text = "wrap-none" }):gsub("\n+$", ""):gsub("\\booktext{P}", ""):gsub("\\booktextend{}", ""))
end

-- A figure is tagged where its image is, a formula where it is.
local function paragraph(para)
    local untagged = para.content:find_if(function(part) return part.t == "Image" or part.t == "Math" and part.mathtype == "DisplayMath" end)
    if untagged or #para.content == 0 then return nil end
    para.content:insert(1, inline("\\booktext{P}"))
    para.content:insert(inline("\\booktextend{}"))
    return para
end

local function list(kind, items, label)
    local tight = items[1][1] and items[1][1].t == "Plain"
    local blocks = pandoc.List({ block("\\begin{booklist}{" .. kind .. "}" .. (tight and "\\tightlist" or "")) })
    for k, item in ipairs(items) do
        blocks:insert(block("\\bookitem{" .. label(k) .. "}"))
        blocks:extend(item)
        blocks:insert(block("\\tagstructend\\tagstructend"))
    end
    blocks:insert(block("\\end{booklist}"))
    return blocks
end

-- Numbers are those that readers see.
local function numbered(element)
    return list("Decimal", element.content, function(k) return element.start + k - 1 .. "." end)
end

local function defined(element)
    local items, terms = pandoc.List(), {}
    for k, entry in ipairs(element.content) do
        terms[k] = "\\descriptionlabel{" .. untagged({ pandoc.Plain(entry[1]) }) .. "}"
        local meaning = pandoc.List()
        for _, blocks in ipairs(entry[2]) do meaning:extend(blocks) end
        items:insert(meaning)
    end
    return list("None", items, function(k) return terms[k] end)
end

local sides = { AlignRight = "\\raggedleft", AlignCenter = "\\centering" }

-- The head that a table repeats overleaf is tagged once.
local function table_of(element)
    local simple = pandoc.utils.to_simple_table(element)
    local columns, heads, again = {}, {}, {}
    for k, width in ipairs(simple.widths) do
        local side = sides[simple.aligns[k]] or "\\raggedright"
        columns[k] = string.format(">{%s\\arraybackslash}p{\\dimexpr %.4f\\linewidth-%.4f\\tabcolsep\\relax}", side, width, 2 * width * (#simple.widths - 1))
        again[k] = string.format("\\begin{minipage}[b]{\\linewidth}%s %s\\end{minipage}", side, untagged(simple.headers[k]))
        heads[k] = "\\bookhead{" .. again[k] .. "}"
    end
    local function row(cells) return "\\tagstructbegin{tag=TR}" .. table.concat(cells, " & ") .. "\\tagstructend\\\\" end
    local small = element.classes:includes("small") and "\\small\\tabcolsep3pt" or ""
    local lines = { "\\tagstructbegin{tag=Table}{" .. small .. "\\begin{longtable}[]{@{}" .. table.concat(columns) .. "@{}}\\toprule", row(heads) .. "\\midrule\\endfirsthead", "\\toprule",
        table.concat(again, " & ") .. "\\\\\\midrule\\endhead" }
    for _, cells in ipairs(simple.rows) do
        local texts = {}
        for k, cell in ipairs(cells) do texts[k] = "\\booktext{TD}" .. untagged(cell) .. "\\booktextend{}" end
        lines[#lines + 1] = row(texts)
    end
    lines[#lines + 1] = "\\bottomrule\\end{longtable}}\\tagstructend"
    return block(table.concat(lines, "\n"))
end

-- What stands below a figure or a listing.
local function caption(div)
    if not div.classes:includes("caption") then return nil end
    return div:walk({ RawInline = function(raw) if raw.text == "\\booktext{P}" then return inline("\\booktext{Caption}") end end })
end

return { {
    Header = function(header) if header.level == 1 then return { block("\\bookpart"), header } end end,
    Image = function(image) return { inline("\\bookimage{" .. pandoc.utils.stringify(image.caption) .. "}"), image, inline("\\booktextend{}") } end,
    Math = function(math)
        if math.mathtype == "DisplayMath" then return { inline("\\bookformula{" .. math.text:gsub("\\", "\\csstring\\") .. "}"), math, inline("\\booktextend{}") } end
    end,
    Para = paragraph,
    Plain = paragraph,
    Div = caption,
    CodeBlock = function(code) return { block("\\tagstructbegin{tag=P}"), code, block("\\tagstructend") } end,
    BlockQuote = function(quote) return { block("\\tagstructbegin{tag=BlockQuote}"), quote, block("\\tagstructend") } end,
    BulletList = function(element) return list("Disc", element.content, function() return "\\textbullet" end) end,
    OrderedList = numbered,
    DefinitionList = defined,
    Table = table_of,
} }
