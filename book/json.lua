-- json.lua: JSON as Lua's tables, for all filters: by the module that Pandoc has from 3.1.1 on, under older ones by dkjson, which ./setup
-- installs. Returns decode, of a text, and encode, of a table.
if pandoc.json then return { decode = function(text) return pandoc.json.decode(text, false) end, encode = pandoc.json.encode } end

local found, dkjson = pcall(require, "dkjson")
if not found then error("JSON cannot be read: this Pandoc is older than 3.1.1, and lua-dkjson is not installed; ./setup installs it") end

local function decode(text)
    local value, _, wrong = dkjson.decode(text)
    if wrong then error(wrong) end
    return value
end

-- Keys in order, so that equal tables give equal texts.
local function encode(value)
    local keys, seen = {}, {}
    local function collect(inner)
        if type(inner) ~= "table" then return end
        for key, held in pairs(inner) do
            if type(key) == "string" and not seen[key] then seen[key], keys[#keys + 1] = true, key end
            collect(held)
        end
    end
    collect(value)
    table.sort(keys)
    return dkjson.encode(value, { keyorder = keys })
end

return { decode = decode, encode = encode }
