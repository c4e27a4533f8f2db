-- json.lua: JSON as Lua's tables, for all filters: by the module that Pandoc has from 3.1.1 on, under older ones by dkjson, which ./setup
-- installs. Returns the function that decodes a text.
if pandoc.json then return function(text) return pandoc.json.decode(text, false) end end

local found, dkjson = pcall(require, "dkjson")
if not found then error("JSON cannot be read: this Pandoc is older than 3.1.1, and lua-dkjson is not installed; ./setup installs it") end

return function(text)
    local value, _, wrong = dkjson.decode(text)
    if wrong then error(wrong) end
    return value
end
