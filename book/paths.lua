-- paths.lua: a path of this tree in the text becomes a link to a copy of the file, which the site takes with it. Which files the page links goes to a
-- list, by which book.mk copies them.
local tools = dofile("book/tools.lua")
local paths = { linked = {} }

-- What pages may show: no solution, no grader, no example that is an answer.
local shown = { "^exercises/[%w._/-]+$", "^book/examples/[%w._-]+%.cu$", "^src/[%w._/-]+$", "^[%u]+%.md$", "^README%.md$" }
local hidden = { ["book/examples/packs.cu"] = true }

local function is_file(path)
    local file = io.open(path, "rb")
    if not file then return false end
    local text = file:read(0)
    file:close()
    return text ~= nil -- nil: a folder, or empty
end

-- A link in place of the code, or nil where that names no file.
function paths.link(code)
    local path = code.text
    if hidden[path] or path:find("..", 1, true) then return nil end
    for _, pattern in ipairs(shown) do
        if path:match(pattern) and is_file(tools.untouched(path)) then
            paths.linked[path] = true
            return pandoc.Link({ code }, "files/" .. path .. ".txt", "", pandoc.Attr("", { "path" }))
        end
    end
end

-- A link within a link, which HTML does not have, is its text.
function paths.unnested(link)
    link.content = pandoc.List(link.content):map(function(inline) return inline.t == "Link" and pandoc.Span(inline.content) or inline end)
    return link
end

function paths.write(path)
    local list = {}
    for name in pairs(paths.linked) do list[#list + 1] = name .. "\t" .. tools.untouched(name) .. "\n" end
    table.sort(list)
    local file = assert(io.open(path, "wb"))
    file:write(table.concat(list))
    file:close()
end

return paths
