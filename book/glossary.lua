--[[ glossary.lua: links the words of chapters/glossary.md where chapters use them: where a word stands in bold, which is where it is
     defined, else at its first use in the chapter's text. Words marked .quiet mean other things too and are linked in bold only. ]]

local glossary = {}

-- From the page itself: {id, text, quiet, meaning} for each entry of its definition lists.
function glossary.terms(doc)
    local terms = {}
    doc:walk({ DefinitionList = function(list)
        for _, item in ipairs(list.content) do
            local span = item[1][1]
            if span and span.t == "Span" and span.identifier ~= "" then
                local meaning = item[2][1] and item[2][1][1] and pandoc.utils.stringify(item[2][1][1]) or ""
                terms[#terms + 1] = { id = span.identifier, text = pandoc.utils.stringify(span), quiet = span.classes:includes("quiet"),
                    meaning = (meaning:gsub("%s*%u%a+ %w+%.?,? ?c?h?a?p?t?e?r? ?%d*%.$", "")) }
            end
        end
    end })
    return terms
end

-- Words in lower case, without a plural's s.
local function key(text) return (text:lower():gsub("s$", "")) end

local function link(term, content)
    return pandoc.Link(content, "glossary.md#" .. term.id, term.meaning, pandoc.Attr("", { "term" }))
end

-- The inlines from i on that are this term's words: the index of the last one and what stands behind it; or nil.
local function match(inlines, i, words)
    local at = i
    for n, word in ipairs(words) do
        local inline = inlines[at]
        if not inline or inline.t ~= "Str" then return nil end
        local core, rest = inline.text:match("^(.-)([.,;:!?)”\"]*)$")
        if key(core) ~= key(word) or (n < #words and (rest ~= "" or core:lower() ~= word:lower())) then return nil end
        if n == #words then return at, core, rest end
        local space = inlines[at + 1]
        if not space or (space.t ~= "Space" and space.t ~= "SoftBreak") then return nil end
        at = at + 2
    end
end

local function first_use(inlines, term, words)
    for i = 1, #inlines do
        local last, core, rest = match(inlines, i, words)
        if last then
            local result, content = pandoc.List(), pandoc.List()
            for k = 1, i - 1 do result:insert(inlines[k]) end
            for k = i, last - 1 do content:insert(inlines[k]) end
            content:insert(pandoc.Str(core))
            result:insert(link(term, content))
            if rest ~= "" then result:insert(pandoc.Str(rest)) end
            for k = last + 1, #inlines do result:insert(inlines[k]) end
            return result
        end
    end
end

function glossary.apply(doc, terms)
    local by_key, open = {}, {}
    for _, term in ipairs(terms) do
        by_key[key(term.text)] = term
        local words = {}
        for word in term.text:gmatch("%S+") do words[#words + 1] = word end
        open[term] = not term.quiet and words or nil
    end
    local blocks = doc.blocks:walk({ Strong = function(strong)
        local term = by_key[key(pandoc.utils.stringify(strong))]
        if not term then return nil end
        open[term] = nil
        return pandoc.Strong({ link(term, strong.content) })
    end })
    -- Longer terms first: "bank conflict" is not "bank".
    local order = {}
    for _, term in ipairs(terms) do order[#order + 1] = term end
    table.sort(order, function(a, b)
        if #a.text ~= #b.text then return #a.text > #b.text end
        return a.text < b.text
    end)
    doc.blocks = blocks:walk({ Para = function(para)
        for _, term in ipairs(order) do
            local content = open[term] and first_use(para.content, term, open[term])
            if content then
                para.content = content
                open[term] = nil
            end
        end
        return para
    end })
    return doc
end

return glossary
