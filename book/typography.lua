-- typography.lua: quotes as printers set them, and words of code that lines do not end within.
local typography = {}

-- The quote that opens stands behind a space or a bracket, or begins its words. Most words have no quotes and stay as they are.
local function set(inlines, also)
    for i, element in ipairs(inlines) do
        local text = element.t == "Str" and element.text
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

-- For LaTeX, which sets apostrophes itself.
function typography.quotes(inlines) return set(inlines, function(text) return text end) end

local units = { ["µs"] = true, ms = true, ns = true, KB = true, MB = true, GB = true, ["GB/s"] = true, ["×"] = true }

-- What a line does not end between: 32 × 8, a number and its unit, the word chapter and its number.
local function belong(before, after)
    if before.t ~= "Str" and after.t ~= "Str" then return false end
    local first, second = before.text or "", after.text or ""
    return first == "×" or units[(second:gsub("[.,;:)]+$", ""))] or first:find("[Cc]hapter$") and second:find("^%d%d") or first:find("[Aa]ppendix$") and second:find("^%u%f[%W]")
end

function typography.of_pages(inlines)
    for i = 2, #inlines - 1 do
        if inlines[i].t == "Space" and belong(inlines[i - 1], inlines[i + 1]) then inlines[i] = pandoc.Str("\u{a0}") end
    end
    return set(inlines, function(text, opens)
        if opens then text = text:gsub("^'", "‘") end
        return (text:gsub("([%(%[—“])'", "%1‘"):gsub("'", "’"))
    end)
end

-- Letters of a word that has room on any phone, in a list within a question too.
local LONGEST = 28

-- Browsers end lines behind a hyphen, so that `--l1 off` would be read as another option, and between brackets; nil where the code has neither.
function typography.whole_words(code)
    local breaks = "[-%])}>/|?!,]%S"
    if #code.classes > 0 or not code.text:find(breaks) then return nil end
    local html = code.text:gsub("%S+", function(word)
        local text = word:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")
        return word:find(breaks) and #word <= LONGEST and '<span class="whole">' .. text .. "</span>" or text
    end)
    return pandoc.RawInline("html", "<code>" .. html .. "</code>")
end

return typography
