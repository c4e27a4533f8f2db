-- deck.lua: slides that book/filter.lua has read: links of the book lead nowhere there, and long listings are marked as such.
local function is_long(div)
    local long = false
    div:walk({ CodeBlock = function(code)
        local _, lines = code.text:gsub("\n", "\n")
        long = long or lines >= 15
        for line in code.text:gmatch("[^\n]+") do long = long or utf8.len(line) > 95 end
    end })
    return long
end

return { {
    Link = function(link) return pandoc.Span(link.content) end,
    Div = function(div)
        if div.classes:includes("listing") and is_long(div) then
            div.classes:insert("long")
            return div
        end
    end,
} }
