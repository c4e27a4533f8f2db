--[[ check.lua: reads a page of questions and holds its answers, before book/filter.lua puts numbers in place of expressions.

     ## Title {#id .number}            a number is asked for: `RUN: EXPRESSION`{.n worked="…"} in ::: right; within=0.1 on the heading: a tolerance
     ## Title {#id .choice}            one of a list of `- [x]` and `- [ ]`
     ## Title {#id .several}           some of such a list
     ## Title {#id .reason points=4}   an essay, with what a good one says in ::: right
     holds="RUN.KEY < RUN.KEY"         on the heading: what must be true of the runs for the answer to be right; claims joined by `and`
     ::: why … :::                     the reason, which those see who have answered

     A number is found twice, by a run and by `worked`, which counts from the question's text alone; the two must be equal. There
        sectors("4 * i", 4)      the sectors that 32 lanes touch which access 4 bytes each at that address; a third argument: so many lanes
        lines("4 * i", 4)        the lines of 128 bytes
        wavefronts("i * 2", 1)   the wavefronts of 32 lanes, by the number of their first word and how many words (1, 2 or 4) each has ]]

local tools = dofile("book/tools.lua")
local page = PANDOC_STATE.input_files[1] or "?"
local build = os.getenv("BOOK_BUILD") or "build/book"
local kinds = { number = true, choice = true, several = true, reason = true }

local function fail(format, ...)
    io.stderr:write(page .. ": " .. string.format(format, ...) .. "\n")
    os.exit(1)
end
tools.fail = fail

local function of_lane(expression)
    local chunk = load("return function(i) return " .. expression .. " end") or fail("%s is no expression of i", expression)
    return chunk()
end

-- How many blocks of `size` bytes are touched.
local function touched(size, expression, bytes, lanes)
    local address, seen, count = of_lane(expression), {}, 0
    for i = 0, (lanes or 32) - 1 do
        for block = address(i) // size, (address(i) + bytes - 1) // size do
            if not seen[block] then seen[block], count = true, count + 1 end
        end
    end
    return count
end

-- Lanes of 8 bytes are served by halves of a warp, of 16 by quarters; each bank hands out one word at a time.
local function wavefronts(expression, words)
    local word, total, together = of_lane(expression), 0, 32 // words
    for first = 0, 31, together do
        local banks, most = {}, 1
        for i = first, first + together - 1 do
            for w = word(i), word(i) + words - 1 do
                local bank = banks[w % 32] or { count = 0 }
                banks[w % 32] = bank
                if not bank[w] then bank[w], bank.count = true, bank.count + 1 end
                most = math.max(most, bank.count)
            end
        end
        total = total + most
    end
    return total
end

local function worked(expression)
    local names = {
        sectors = function(...) return touched(32, ...) end, lines = function(...) return touched(128, ...) end,
        wavefronts = wavefronts, ceil = math.ceil, floor = math.floor, min = math.min, max = math.max,
    }
    local chunk = load("return " .. expression, "worked", "t", names) or fail("%s is no expression", expression)
    return chunk()
end

local function value_of(text)
    local run, expression = text:match("^([%w_/-]+):%s*(.+)$")
    return tools.evaluate(build, run, expression or text)
end

-- A question's answer, which must be a number found in two ways.
local function number(title, div, within)
    local code
    div:walk({ Code = function(c) if c.attributes.worked then code = c end end })
    if not code then fail("%s: the answer is not worked out (`RUN: EXPRESSION`{.n worked=\"…\"})", title) end
    local value, again = value_of(code.text), worked(code.attributes.worked)
    if code.text:gsub("%s", "") == code.attributes.worked:gsub("%s", "") then fail("%s: the answer is worked out in one way only", title) end
    if math.abs(value - again) > within then fail("%s: the answer is %.10g by %s, but %.10g as it is worked out", title, value, code.text, again) end
    div.attributes.value = string.format("%.10g", value)
    return div:walk({ Code = function(c)
        c.attributes.worked = nil
        return c
    end })
end

local function choices(title, kind, list)
    local right = 0
    for _, item in ipairs(list.content) do
        local mark = item[1].content and item[1].content[1] and item[1].content[1].text
        if mark ~= "☒" and mark ~= "☐" then fail("%s: a choice without [x] or [ ]", title) end
        if mark == "☒" then right = right + 1 end
    end
    if kind == "choice" and right ~= 1 then fail("%s: %d choices are right, not one", title, right) end
    if kind == "several" and (right < 1 or right == #list.content) then fail("%s: %d of %d choices are right", title, right, #list.content) end
    if #list.content < 3 then fail("%s: fewer than three choices", title) end
end

local function check(doc)
    local question, has = nil, {}
    local function done()
        if not question then return end
        local title, kind = pandoc.utils.stringify(question), question.classes[1]
        if kind == "choice" or kind == "several" then
            if not has.list then fail("%s: no choices", title) end
        elseif not has.right then
            fail("%s: no answer (::: right)", title)
        end
        if not has.why and kind ~= "reason" then fail("%s: no reason (::: why)", title) end
    end
    for i, block in ipairs(doc.blocks) do
        if block.t == "Header" then
            done()
            question, has = block, {}
            local title, kind = pandoc.utils.stringify(block), block.classes[1]
            if block.level ~= 2 or not kinds[kind] then fail("%s: what kind of question is it?", title) end
            for claim in ((block.attributes.holds or "") .. " and "):gmatch("(.-) and ") do
                if claim ~= "" and value_of(claim) ~= true then fail("%s: it does not hold that %s", title, claim) end
            end
            block.attributes.holds = nil
        elseif question then
            local title, kind = pandoc.utils.stringify(question), question.classes[1]
            if block.t == "BulletList" and (kind == "choice" or kind == "several") then
                choices(title, kind, block)
                has.list = true
            elseif block.t == "Div" and block.classes[1] == "right" then
                if kind == "number" then doc.blocks[i] = number(title, block, tonumber(question.attributes.within) or 1e-9) end
                has.right = true
            elseif block.t == "Div" and block.classes[1] == "why" then
                has.why = true
            end
        end
    end
    done()
    return doc
end

return { { Pandoc = check } }
