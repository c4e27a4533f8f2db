--[[ columns.lua: how wide the columns of a table are on paper, found from what is in them.

     columns.of(simple) = {shares, small, lines}   of a pandoc.SimpleTable: each column's share of the width that is left for columns, whether letters
                                                   of \small and narrow gaps are needed, and how many lines of text the table takes in all.

     A column is as wide as its widest cell. Where that is more than the text is wide, first headings take two lines, then the widest columns give way. ]]

local columns = {}

-- Points: the text's width, the gap between two columns (tags.lua has them as \tabcolsep) and what a letter takes at 10 points.
local LINE, GAP, NARROW, SMALL = 453, 12, 6, 0.9
local CODE, LETTER = 5, 5.6
local letters = { [3.2] = "ijlrtfI.,;:'()|", [8] = "mwABCDGHKMNOQRUVWXYZ%µ×" }
local widths = {}
for width, those in pairs(letters) do for _, c in utf8.codes(those) do widths[c] = width end end

-- {what a cell takes on one line, what its longest word takes}: pandoc.Code is kept whole up to a space.
local function size_of(cell)
    local size = { whole = 0, word = 0 }
    local word = 0
    local function add(text, width)
        for _, c in utf8.codes(text) do
            local one = width or widths[c] or LETTER
            size.whole = size.whole + one
            word = c == 32 and 0 or word + one
            size.word = math.max(size.word, word)
        end
    end
    local function space() add(" ", 3) end
    pandoc.walk_block(pandoc.Div(cell), { Space = space, SoftBreak = space, Str = function(s) add(s.text) end, Code = function(s) add(s.text, CODE) end, Math = function(s) add(s.text) end })
    return size
end

-- {whole, word} of each column where so much of a heading stands on one line, what they are in all, and the sizes of all cells, the head's first.
local function measured(simple, heading)
    local needs, rows, all = {}, {}, { whole = 0, word = 0 }
    for k in ipairs(simple.headers) do needs[k] = { whole = 0, word = 0 } end
    for r, row in ipairs({ simple.headers, table.unpack(simple.rows) }) do
        rows[r] = {}
        for k, cell in ipairs(row) do
            local size, need = size_of(cell), needs[k]
            rows[r][k] = size
            need.word = math.max(need.word, size.word)
            need.whole = math.max(need.whole, size.word, size.whole * (r == 1 and heading or 1))
        end
    end
    for _, need in ipairs(needs) do all.whole, all.word = all.whole + need.whole, all.word + need.word end
    return needs, all, rows
end

-- Widths for as many points: no column is wider than `most`, but for a word that is; `most` is the largest that fits.
local function fitted(needs, points)
    local function at(most)
        local all, total = {}, 0
        for k, need in ipairs(needs) do
            all[k] = math.max(need.word, math.min(need.whole, most))
            total = total + all[k]
        end
        return all, total
    end
    local low, high = 0, points
    for _ = 1, 20 do
        local middle = (low + high) / 2
        local _, total = at(middle)
        if total <= points then low = middle else high = middle end
    end
    return at(low)
end

function columns.of(simple)
    local room = LINE - GAP * (#simple.headers - 1)
    local tight = (LINE - NARROW * (#simple.headers - 1)) / SMALL
    local needs, all, rows = measured(simple, 1)
    if all.whole > room then needs, all, rows = measured(simple, 0.6) end
    local small = all.whole > room and (all.whole <= tight or all.word > room)
    room = small and tight or room
    local fit, total = fitted(needs, room)
    local shares, lines = {}, 4
    for k, width in ipairs(fit) do shares[k] = width / math.max(room, total) end
    for _, row in ipairs(rows) do
        local most = 1
        for k, size in ipairs(row) do most = math.max(most, math.ceil(size.whole / fit[k] - 0.01)) end
        lines = lines + most + 0.2
    end
    return { shares = shares, small = small, lines = math.ceil(lines) }
end

return columns
