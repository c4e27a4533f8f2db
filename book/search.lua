-- search.lua: the words of all pages, and the synonyms, as a classic script, which pages opened from a file can load as well.
dofile("book/older.lua")
local tools = dofile("book/tools.lua")
local build = os.getenv("BOOK_BUILD") or "build/book"

local function json(text) return '"' .. text:gsub('[%c"\\<]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"' end

return { { Pandoc = function()
    local items, classes = {}, {}
    for _, entry in ipairs(tools.index(build)) do
        local page = dofile(build .. "/words/" .. entry.name .. ".lua")
        for _, s in ipairs(page.sections) do
            local link = page.name .. ".html" .. (s.id ~= "" and "#" .. s.id or "")
            items[#items + 1] = string.format("[%s,%s,%s,%s,%s]", json(link), json(page.title), json(s.title), json(s.words), json(s.bold))
        end
    end
    for i, class in ipairs(tools.synonyms()) do
        local names = {}
        for k, name in ipairs(class) do names[k] = json(name:lower()) end
        classes[i] = "[" .. table.concat(names, ",") .. "]"
    end
    return pandoc.Pandoc({ pandoc.RawBlock("html", "window.SEARCH = [\n" .. table.concat(items, ",\n") .. "];\nwindow.SYNONYMS = [\n" .. table.concat(classes, ",\n") .. "];") })
end } }
