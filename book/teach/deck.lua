-- deck.lua: slides that book/filter.lua has read: links of the book lead nowhere there, and long listings are marked as such.
local function lines_of(div)
    local most = 0
    div:walk({ CodeBlock = function(code)
        local _, lines = code.text:gsub("\n", "\n")
        most = math.max(most, lines + 1)
    end })
    return most
end

return { {
    Link = function(link) return pandoc.Span(link.content) end,
    Div = function(div)
        if div.classes:includes("listing") and lines_of(div) > 15 then
            div.classes:insert("long")
            return div
        end
    end,
} }
