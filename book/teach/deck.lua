-- deck.lua: slides that book/filter.lua has read: links of the book lead nowhere there, and long listings are marked as such.
-- How a listing is set: nil, "long" or "longer".
local function length_of(div)
    local length
    div:walk({ CodeBlock = function(code)
        local _, lines = code.text:gsub("\n", "\n")
        if lines >= 15 then length = "long" end
        for line in code.text:gmatch("[^\n]+") do if utf8.len(line) > 95 then length = "long" end end
        if lines >= 16 then length = "longer" end
    end })
    return length
end

return { {
    Link = function(link) return pandoc.Span(link.content) end,
    Div = function(div)
        local length = div.classes:includes("listing") and length_of(div)
        if length then
            div.classes:insert(length)
            return div
        end
    end,
} }
