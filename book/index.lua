-- index.lua: the first pass over a page writes what other pages need to know of it: title, headings, ids; or, where BOOK_WORDS is set, its
-- words for the search, which change more often. As a filter it turns the page into that text: pandoc --lua-filter book/index.lua -t plain
-- --wrap=none.
local name = (PANDOC_STATE.input_files[1] or "?"):match("([^/]+)%.md$")
local headings, ids, sections = {}, {}, {}
local glossary = dofile("book/glossary.lua")

local function quote(text) return string.format("%q", text):gsub("\n", " ") end

local function add_words(blocks)
    local current = { id = "", title = "", words = "", bold = "|" } -- what stands before the first heading
    sections[1] = current
    for _, block in ipairs(blocks) do
        if block.t == "Header" and block.level <= 3 then
            current = { id = block.identifier, title = pandoc.utils.stringify(block), words = "", bold = "|" }
            sections[#sections + 1] = current
        else
            current.words = current.words .. " " .. pandoc.utils.stringify(block)
            pandoc.walk_block(block, { Strong = function(s) current.bold = current.bold .. pandoc.utils.stringify(s):lower() .. "|" end })
        end
    end
end

local function text(out) return pandoc.Pandoc({ pandoc.RawBlock("plain", table.concat(out, "\n")) }) end

local function title_of(doc) return doc.meta.title and pandoc.utils.stringify(doc.meta.title) or headings[1] and headings[1].text or name end

local function words(doc)
    add_words(doc.blocks)
    local out = { "return {name = " .. quote(name) .. ", title = " .. quote(title_of(doc)) .. ", sections = {" }
    for _, s in ipairs(sections) do
        out[#out + 1] = string.format("{id = %s, title = %s, words = %s, bold = %s},", quote(s.id), quote(s.title), quote((s.words:gsub("%s+", " "))), quote(s.bold))
    end
    out[#out + 1] = "}}"
    return text(out)
end

local function collect(doc)
    doc:walk({
        Header = function(h)
            headings[#headings + 1] = { id = h.identifier, text = pandoc.utils.stringify(h), level = h.level }
            ids[h.identifier] = true
        end,
        Div = function(d) if d.identifier ~= "" then ids[d.identifier] = true end end,
        Span = function(s) if s.identifier ~= "" then ids[s.identifier] = true end end,
    })
    if os.getenv("BOOK_WORDS") then return words(doc) end
    local number = name:match("^(%d+)%-") or (name:match("^appendix%-(%a)%-") or ""):upper()
    local out = { "return {name = " .. quote(name) .. ", title = " .. quote(title_of(doc)) .. ", number = " .. quote(number) .. ",\nheadings = {" }
    for _, h in ipairs(headings) do out[#out + 1] = string.format("{id = %s, text = %s, level = %d},", quote(h.id), quote(h.text), h.level) end
    out[#out + 1] = "},\nids = {"
    local sorted = {}
    for id in pairs(ids) do sorted[#sorted + 1] = id end
    table.sort(sorted)
    for _, id in ipairs(sorted) do out[#out + 1] = string.format("[%s] = true,", quote(id)) end
    out[#out + 1] = "},\nterms = {"
    for _, t in ipairs(name == "glossary" and glossary.terms(doc) or {}) do
        out[#out + 1] = string.format("{id = %s, text = %s, quiet = %s, meaning = %s},", quote(t.id), quote(t.text), t.quiet, quote(t.meaning))
    end
    out[#out + 1] = "}}"
    return text(out)
end

return { { Pandoc = collect } }
