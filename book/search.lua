-- search.lua: the index of all pages as a classic script, which pages opened from a file can load as well.
local tools = dofile("book/tools.lua")
local build = os.getenv("BOOK_BUILD") or "build/book"

local function json(text) return '"' .. text:gsub('[%c"\\<]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"' end

return { { Pandoc = function()
    local items = {}
    for _, entry in ipairs(tools.index(build)) do
        local page = dofile(build .. "/index/" .. entry.name .. ".words")
        for _, s in ipairs(page.sections) do
            local link = page.name .. ".html" .. (s.id ~= "" and "#" .. s.id or "")
            items[#items + 1] = string.format("[%s,%s,%s,%s,%s]", json(link), json(page.title), json(s.title), json(s.words), json(s.bold))
        end
    end
    return pandoc.Pandoc({ pandoc.RawBlock("plain", "window.SEARCH = [\n" .. table.concat(items, ",\n") .. "];") })
end } }
