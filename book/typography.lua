-- typography.lua: quotes and numbers as printers set them, and words of code that lines do not end within.
local draw = dofile("book/draw.lua")
local typography = {}

-- 1024 as 1,024, in the text as in its bound numbers. Not a year (1900 to 2039, but 2000), nor what belongs to a name, a date or a fraction.
local function thousands(text)
    return (text:gsub("%f[%w]()(%d%d%d%d+)()%f[^%w]", function(first, digits, after)
        local value, before, behind = tonumber(digits), text:sub(first - 1, first - 1), text:sub(after, after + 1)
        local year = value >= 1900 and value < 2040 and value ~= 2000
        if year or before:find("[-.,_/#:]") or behind:find("^[-_/:]") or behind:find("^[.,]%d") then return nil end
        return draw.commas(digits)
    end))
end

-- The quote that opens stands behind a space or a bracket, or begins its words. Most words have no quotes and stay as they are.
local function set(inlines, also)
    for i, element in ipairs(inlines) do
        local text = element.t == "Str" and element.text
        local model = text and i > 2 and (inlines[i - 2].text or ""):find("^%(?[RG]TX$") -- of a GPU
        if text and text:find("%d%d%d%d") and not model then
            text = thousands(text)
            inlines[i] = pandoc.Str(text)
        end
        if text and text:find("[\"']") then
            local before = inlines[i - 1] and inlines[i - 1].t
            local opens = not before or before == "Space" or before == "SoftBreak" or before == "LineBreak"
            text = text:gsub('([%(%[—])"', "%1“")
            if opens then text = text:gsub('^"', "“") end
            inlines[i] = pandoc.Str(also((text:gsub('"', "”")), opens))
        end
    end
    return inlines
end

local units = {}
for unit in ("µs ms ns s KB MB GB KiB MiB GiB GB/s TFLOP/s MHz GHz million ×"):gmatch("%S+") do units[unit] = true end

-- What a line does not end between: 32 × 8, a number and its unit, the word chapter and its number.
local function belong(before, after)
    if before.t ~= "Str" and after.t ~= "Str" then return false end
    local first, second = before.text or "", after.text or ""
    if first == "×" or first:find("[Cc]hapter$") and second:find("^%d%d") or first:find("[Aa]ppendix$") and second:find("^%u%f[%W]") then return true end
    return units[(second:gsub("[.,;:)]+$", ""))] and (before.t ~= "Str" or first:find("[%d)]$"))
end

local function hold(inlines)
    for i = 2, #inlines - 1 do
        if inlines[i].t == "Space" and belong(inlines[i - 1], inlines[i + 1]) then inlines[i] = pandoc.Str("\u{a0}") end
    end
    return inlines
end

-- For LaTeX, which sets apostrophes itself.
function typography.quotes(inlines) return set(hold(inlines), function(text) return text end) end

function typography.of_pages(inlines)
    for i, element in ipairs(inlines) do
        local date = element.t == "Str" and element.text:find("^%d%d%d%d%-%d%d%-%d%d")
        if date then inlines[i] = pandoc.Span({ element }, pandoc.Attr("", { "whole" })) end
    end
    return set(hold(inlines), function(text, opens)
        if opens then text = text:gsub("^'", "‘") end
        return (text:gsub("([%(%[—“])'", "%1‘"):gsub("'", "’"))
    end)
end

-- Letters of a word that has room on any phone, in a list within a question too.
local LONGEST = 28

-- And of a command of several words that stands on one line.
local SHORT = 18

-- Browsers end lines behind a hyphen, so that `--l1 off` would be read as another option, between brackets, and beside the dots of a name that is cut.
local function breaks(text) return text:find("[-%])}>/|?!,]%S") or text:find("…", 1, true) end

-- nil where the code has none of these.
function typography.whole_words(code)
    if #code.classes == 0 and #code.text <= SHORT and code.text:find(" ") then return pandoc.Span({ code }, pandoc.Attr("", { "whole" })) end
    if #code.classes > 0 or not breaks(code.text) then return nil end
    local html = code.text:gsub("%S+", function(word)
        local text = word:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")
        return breaks(word) and #word <= LONGEST and '<span class="whole">' .. text .. "</span>" or text
    end)
    return pandoc.RawInline("html", "<code>" .. html .. "</code>")
end

return typography
