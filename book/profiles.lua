-- profiles.lua: the emulator's devices, read from src/device/profiles.def, for the book's tables and numbers.
local profiles = {}

local path = "src/device/profiles.def"
local names = { KB = 1024, MB = 1024 * 1024, GB = 1024 * 1024 * 1024, GIGA = 1000000000 }

-- The entries in the file's order; each has its fields under the names that they have in the file.
function profiles.all(read, fail)
    if profiles.list then return profiles.list end
    local list = {}
    for body in read(path):gsub("/%*.-%*/", ""):gmatch("PROFILE(%b())") do
        local fields = body:sub(2, -2):gsub("%.([%a][%w_]*)%s*=", "%1 =")
        local chunk, message = load("return {" .. fields .. "}", path, "t", names)
        local entry = (chunk or fail("%s is not understood: %s", path, message))()
        list[#list + 1] = entry
        list[entry.name] = entry
    end
    if #list == 0 then fail("%s has no profile", path) end
    -- What an entry leaves out is 0 or false in it.
    for _, entry in ipairs(list) do
        for key, value in pairs(entry) do
            for _, other in ipairs(list) do
                if other[key] == nil then other[key] = type(value) == "number" and 0 or false end
            end
        end
    end
    profiles.list = list
    return list
end

-- What a Lua expression of a profile's fields gives: a number or a text.
function profiles.evaluate(entry, expression, fail)
    local fields = setmetatable({}, { __index = function(_, key)
        if entry[key] == nil then fail("the profile %s has no %s", entry.name, key) end
        return entry[key]
    end })
    local chunk, message = load("return " .. expression, expression, "t", fields)
    local good, value = pcall(chunk or fail("%s", message))
    if not good then fail("%s: %s", expression, value) end
    return value
end

return profiles
