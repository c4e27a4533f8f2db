--[[ prose.lua: numbers that stand in the text itself. A result is bound to a run, so that it cannot grow stale; what is no result is declared
     at the head of its page, with the reason why it may be typed:

     constants:
       1000 1001: sizes of the examples                    a size, an address, a name
       4 32 sectors: a line has 4; 32 lanes touch 32 at most    with this word behind them

     A number with a result's word behind it (sectors, requests, µs, per cent, …) must be declared together with that word. Other numbers that look
     like results (a point, four digits) may also stand in book/constants, which holds for all pages.

     And a paragraph is one idea: of at most 90 words and five results, bound or typed. More is a list, a table, or two paragraphs. ]]

local prose = {}

local function set(words)
    local result = {}
    for word in words:gmatch("%S+") do result[word] = true end
    return result
end

local results = set("sector request wavefront conflict hit transaction instruction cycle ms µs us ns GB/s TB/s MB/s percent times")
-- What may stand between a number and its word.
local between = set("load store shared global constant bank whole different distinct half more L1 L2 nanosecond")
local function bare(word) return (word or ""):gsub("[.,;:!?)\"”']+$", "") end

-- "sectors," is "sector".
local function word_of(text)
    text = bare(text)
    return text == "%" and "percent" or results[text] and text or text:gsub("s$", "")
end

-- {"4 sector" = true, "1000" = true}; or nil and what is wrong.
local function declared_by(meta, book)
    local declared = {}
    for _, number in ipairs(book) do declared[number] = true end
    if meta == nil then return declared end
    if pandoc.utils.type(meta) ~= "table" then return nil, "constants: must give a reason behind each group of numbers" end
    for key, reason in pairs(meta) do
        if #pandoc.utils.stringify(reason) < 4 then return nil, "constants: no reason for " .. key end
        local numbers, unit = key:match("^(.-)%s+([^%d%s][^%s]*)$")
        unit = unit and word_of(unit)
        if unit and not results[unit] then return nil, "constants: " .. unit .. " is no result's word" end
        for number in (numbers or key):gmatch("%S+") do declared[unit and number .. " " .. unit or number] = true end
    end
    return declared
end

-- The result's word behind inlines[i], or nil.
local function behind(inlines, i)
    local function text(at)
        local space, str = inlines[at - 1], inlines[at]
        return space and (space.t == "Space" or space.t == "SoftBreak") and str and str.t == "Str" and str.text or nil
    end
    local at = i + 2
    if text(at) and between[text(at)] and text(at + 2) then at = at + 2 end
    local word = word_of(text(at))
    if bare(text(at)) == "per" and bare(text(at + 2)):match("^cent") then return "percent" end
    if word == "times" and (text(at + 2) or ""):match("^%d") then return nil end -- 64 times 64
    return results[word] and word or nil
end

-- found gets what is not accounted for; the result is how many numbers have a result's word behind them.
local function check_inlines(inlines, declared, found)
    local count = 0
    for i, inline in ipairs(inlines) do
        local text = inline.t == "Str" and inline.text or ""
        for before, number, after in text:gmatch("()([%d][%d,.]*)([%%×µ]?[\128-\191]*)") do
            local last = before + #number > #text
            number = number:gsub("[.,]+$", "")
            local glued = text:sub(1, before - 1):find("[%a_]$") or text:find("://", 1, true) -- sm_75, cm2: a name
            local unit = after == "%" and "percent" or after:find("^×") and "times" or last and behind(inlines, i)
            local like_result = number:find("%.") or #number:gsub(",", "") >= 4
            local words = number .. (unit and " " .. unit or "")
            if not glued and unit then count = count + 1 end
            if not glued and (unit or like_result) and not declared[words] then
                local nearby = pandoc.utils.stringify(pandoc.Span({ table.unpack(inlines, math.max(1, i - 8), math.min(#inlines, i + 8)) }))
                found[#found + 1] = string.format('the number %s in "%s" is neither bound to a run nor declared in the page\'s constants', words, nearby)
            end
        end
    end
    return count
end

local most_words, most_results = 90, 5

-- A bound number is one word, whatever it is worked out by.
local function check_length(block, found)
    local words, results = 0, 0
    block:walk({
        Str = function(str) if str.text:find("[%w\128-\255]") then words = words + 1 end end,
        Code = function(code)
            local bound = code.classes:includes("n")
            words = words + (bound and 1 or select(2, code.text:gsub("%S+", "")))
            results = results + (bound and 1 or 0)
        end,
        Inlines = function(inlines) results = results + check_inlines(inlines, {}, {}) end,
    })
    local first = pandoc.utils.stringify(block):sub(1, 60)
    if words > most_words then found[#found + 1] = string.format('a paragraph of %d words, more than %d: "%s…"', words, most_words, first) end
    if results > most_results then found[#found + 1] = string.format('%d results in one paragraph, more than %d: "%s…"', results, most_results, first) end
end

-- What is wrong, a line each: numbers that are not accounted for, paragraphs that are too much.
function prose.check(doc, book)
    local declared, message = declared_by(doc.meta.constants, book)
    if not declared then return { message } end
    local found = {}
    local function long(block) check_length(block, found) end
    doc.blocks:walk({ Inlines = function(inlines) check_inlines(inlines, declared, found) end, Para = long, Plain = long })
    return found
end

return prose
