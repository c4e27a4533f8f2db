-- terms.lua: the PDF's index of terms: the glossary's words with the pages that speak of them, in bold where they are defined, and what else they
-- are called (book/synonyms) with a reference. A word that is everywhere has the first place of each chapter, a rare one every section.
local tools = dofile("book/tools.lua")
local build = os.getenv("BOOK_BUILD") or "build/book"
local FEW = 8

local function raw(text) return pandoc.RawInline("latex", text) end

local function escape(text) return (text:gsub("[\\{}_%%&#$^~]", { ["_"] = "\\_\\allowbreak{}", ["%"] = "\\%", ["&"] = "\\&", ["#"] = "\\#", ["$"] = "\\$" })) end

-- Whether the words stand in the text, whole, perhaps with a plural's s.
local function within(text, term)
    local pattern = term:lower():gsub("%p", "%%%0")
    return text:find("%f[%w]" .. pattern .. "s?%f[^%w_]") ~= nil
end

-- What a paragraph says of a term: "defined", "linked", "said" or nil.
local function speaks(para, text, term)
    local found = not term.quiet and within(text, term.text) and "said" or nil
    if text:find(term.text:lower():sub(1, 3), 1, true) then
        para:walk({
            Link = function(l) if l.target == "#glossary-" .. term.id then found = found == "defined" and found or "linked" end end,
            Strong = function(s) if pandoc.utils.stringify(s):lower():gsub("%p$", ""):gsub("s$", "") == term.text:lower():gsub("s$", "") then found = "defined" end end,
        })
    end
    return found
end

-- Before which of the paragraph's inlines the term stands: a paragraph may go on behind the end of its page.
local function place_of(para, term, how)
    local words = {}
    for i, inline in ipairs(para.content) do
        words[i] = pandoc.utils.stringify(inline):lower()
        if how ~= "said" and speaks(pandoc.Para({ inline }), words[i], term) == how then return i end
    end
    local before = ""
    for last, word in ipairs(words) do
        before = before .. word
        if within(before, term.text) then
            local behind = ""
            for first = last, 1, -1 do
                behind = words[first] .. behind
                if within(behind, term.text) then return first end
            end
        end
    end
    return 1
end

local function pages_of(places)
    local kept = {}
    for _, place in ipairs(places) do if #places <= FEW or place.how ~= "said" then kept[#kept + 1] = place end end
    return kept
end

local function entry(term, places)
    local out = { "\\bookterm{" .. escape(term.text) .. "}{" }
    for _, place in ipairs(places) do out[#out + 1] = string.format("\\bookpage{%s}{%s}", place.label, place.how == "defined" and "\\textbf" or "") end
    return table.concat(out) .. "}"
end

return { { Pandoc = function(doc)
    local terms, section, seen, serial = tools.terms(build), 0, {}, 0
    for _, term in ipairs(terms) do seen[term] = { last = -1 } end
    local glossary = false
    doc = doc:walk({ traverse = "topdown",
        Header = function(h)
            section = section + 1
            if h.level == 1 then glossary = h.identifier == "glossary" or h.identifier == "answers" end
        end,
        Para = function(para)
            if glossary then return nil end
            local text, labels, content = pandoc.utils.stringify(para):lower(), {}, pandoc.List()
            for _, term in ipairs(terms) do
                local how = speaks(para, text, term)
                if how and (seen[term].last ~= section or how == "defined") then
                    serial = serial + 1
                    seen[term].last = section
                    table.insert(seen[term], { label = "term-" .. serial, how = how })
                    local at = place_of(para, term, how)
                    labels[at] = (labels[at] or "\\leavevmode\\phantomsection") .. "\\label{term-" .. serial .. "}"
                end
            end
            if not next(labels) then return nil end
            for i, inline in ipairs(para.content) do
                if labels[i] then content:insert(raw(labels[i])) end
                content:insert(inline)
            end
            para.content = content
            return para
        end,
    })
    local lines, known = {}, {}
    for _, term in ipairs(terms) do
        known[term.text:lower()] = true
        local places = pages_of(seen[term])
        if #places > 0 then lines[#lines + 1] = { key = term.text:lower(), text = entry(term, places) } end
    end
    for _, class in ipairs(tools.synonyms()) do
        for k = 2, #class do
            if known[class[1]:lower()] and not known[class[k]:lower()] then
                lines[#lines + 1] = { key = class[k]:lower(), text = "\\bookterm{" .. escape(class[k]) .. "}{, \\emph{see} " .. escape(class[1]) .. "}" }
            end
        end
    end
    table.sort(lines, function(a, b) return a.key:gsub("^%p+", "") < b.key:gsub("^%p+", "") end)
    for i, line in ipairs(lines) do lines[i] = line.text end
    if #lines > 0 then
        doc.blocks:insert(pandoc.Header(1, { pandoc.Str("Index of terms") }, pandoc.Attr("index-of-terms")))
        doc.blocks:insert(pandoc.RawBlock("latex", "\\begin{bookindex}\n" .. table.concat(lines, "\n") .. "\n\\end{bookindex}"))
    end
    return doc
end } }
