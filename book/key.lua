-- key.lua: in a book of one file (EPUB, PDF) the answers stand at the back, by chapter, and each question says which one is its.
local latex = FORMAT:match("latex")

local function see(id, n)
    local words = { pandoc.Link({ pandoc.Str("Answer " .. n) }, "#" .. id), pandoc.Str(latex and ", page " or " at the back") }
    if latex then words[#words + 1] = pandoc.RawInline("latex", "\\pageref{page-of-" .. id .. "}") end
    return pandoc.Para({ pandoc.Emph(words) })
end

return { { Pandoc = function(doc)
    local blocks, key = pandoc.List(), pandoc.List()
    local chapter, count
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level == 1 then chapter, count = block, 0 end
        blocks:extend(pandoc.Div({ block }):walk({ Div = function(div)
            if not div.classes:includes("answer") then return nil end
            count = count + 1
            if count == 1 then key:insert(pandoc.Header(2, { pandoc.Link(chapter.content, "#" .. chapter.identifier) }, pandoc.Attr("answers-" .. chapter.identifier, { "unlisted", "unnumbered" }))) end
            local id, from = chapter.identifier .. "-answer-" .. count, chapter.identifier .. "-question-" .. count
            local entry = pandoc.List({ pandoc.Para({ pandoc.Strong({ pandoc.Link({ pandoc.Str("Answer " .. count) }, "#" .. from) }) }) })
            entry:extend(div.content)
            if latex then entry[1].content:insert(1, pandoc.RawInline("latex", "\\phantomsection\\label{page-of-" .. id .. "}")) end
            key:insert(pandoc.Div(entry, pandoc.Attr(id)))
            return pandoc.Div({ see(id, count) }, pandoc.Attr(from))
        end }).content)
    end
    if #key > 0 then
        blocks:insert(pandoc.Header(1, { pandoc.Str("Answers") }, pandoc.Attr("answers")))
        blocks:extend(key)
    end
    doc.blocks = blocks
    return doc
end } }
