-- index.lua: the first pass over a page writes what other pages need to know of it: title, number, the part of the book that it belongs to,
-- headings, ids. As a filter it turns the page into that text: pandoc --lua-filter book/index.lua -t html --wrap=none.
dofile("book/older.lua")
local name = (PANDOC_STATE.input_files[1] or "?"):match("([^/]+)%.md$")
local headings, ids = {}, {}
local glossary = dofile("book/glossary.lua")

local function quote(text) return string.format("%q", text):gsub("\n", " ") end

local function title_of(doc) return doc.meta.title and pandoc.utils.stringify(doc.meta.title) or headings[1] and headings[1].text or name end

local function collect(doc)
    doc:walk({
        Header = function(h)
            headings[#headings + 1] = { id = h.identifier, text = pandoc.utils.stringify(h), level = h.level }
            ids[h.identifier] = true
        end,
        Div = function(d) if d.identifier ~= "" then ids[d.identifier] = true end end,
        Span = function(s) if s.identifier ~= "" then ids[s.identifier] = true end end,
    })
    local number = name:match("^(%d+)%-") or (name:match("^appendix%-(%a)%-") or ""):upper()
    local part = doc.meta.part and pandoc.utils.stringify(doc.meta.part) or "Learn"
    local out = { "return {name = " .. quote(name) .. ", title = " .. quote(title_of(doc)) .. ", number = " .. quote(number) .. ", part = " .. quote(part) .. ",\nheadings = {" }
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
    return pandoc.Pandoc({ pandoc.RawBlock("html", table.concat(out, "\n")) })
end

return { { Pandoc = collect } }
