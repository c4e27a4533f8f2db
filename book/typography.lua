-- typography.lua: quotes as printers set them, and words of code that lines do not end within.
local typography = {}

-- The quote that opens stands behind a space or a bracket, or begins its words.
local function set(inlines, also)
    local opens = true
    for i, element in ipairs(inlines) do
        if element.t == "Str" then
            local text = element.text:gsub('([%(%[—])"', "%1“")
            if opens then text = text:gsub('^"', "“") end
            inlines[i] = pandoc.Str(also((text:gsub('"', "”")), opens))
        end
        opens = element.t == "Space" or element.t == "SoftBreak" or element.t == "LineBreak"
    end
    return inlines
end

-- For LaTeX, which sets apostrophes itself.
function typography.quotes(inlines) return set(inlines, function(text) return text end) end

function typography.quotes_and_apostrophes(inlines)
    return set(inlines, function(text, opens)
        if opens then text = text:gsub("^'", "‘") end
        return (text:gsub("([%(%[—“])'", "%1‘"):gsub("'", "’"))
    end)
end

-- Letters of a word that has room on any phone, in a list within a question too.
local LONGEST = 28

-- Browsers end lines behind a hyphen, and `--l1 off` would be read as another option; nil where the code has none.
function typography.whole_words(code)
    if #code.classes > 0 or not code.text:find("%-%S") then return nil end
    local html = code.text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub("%S+", function(word)
        return word:find("-", 1, true) and #word > 1 and #word <= LONGEST and '<span class="whole">' .. word .. "</span>" or nil
    end)
    return pandoc.RawInline("html", "<code>" .. html .. "</code>")
end

return typography
