-- older.lua: what the filters use of Pandoc 2.17, for older ones from 2.9 on, which is Ubuntu 22.04's: elements that walk themselves, simple tables, types of
-- metadata, and the system's modules of Lua. A filter that makes pages loads it before all else. Topdown it does not walk: EPUB, PDF and slides take 2.17.
if PANDOC_VERSION >= { 2, 17 } then return end

package.path = package.path .. ";/usr/share/lua/5.3/?.lua"

local types = { MetaInlines = "Inlines", MetaBlocks = "Blocks", MetaList = "List", MetaMap = "table" }
function pandoc.utils.type(value) return type(value) == "table" and (types[value.t] or value.t) or type(value) end

-- Every table was a simple one.
local function itself(table) return table end
pandoc.SimpleTable, pandoc.utils.to_simple_table, pandoc.utils.from_simple_table = pandoc.Table, itself, itself

-- Lists of inlines, which 2.9 does not hand to a filter: by what holds them. For filters that only look at them.
local holders = { "Para", "Plain", "Header", "Emph", "Strong", "Strikeout", "Superscript", "Subscript", "SmallCaps", "Quoted", "Link", "Span" }
local function by_holders(filter)
    local all = {}
    for kind, of in pairs(filter) do if kind ~= "Inlines" then all[kind] = of end end
    for _, kind in ipairs(holders) do
        all[kind] = function(element)
            filter.Inlines(element.content)
            return filter[kind] and filter[kind](element)
        end
    end
    return all
end

local function walk_block(block, filter)
    if not filter.Inlines then return pandoc.walk_block(block, filter) end
    if block.t ~= "Div" then filter.Inlines(block.content) end
    return pandoc.walk_block(block, by_holders(filter))
end
local function walk_blocks(blocks, filter) return walk_block(pandoc.Div(blocks), filter).content end
pandoc.List.walk = walk_blocks
getmetatable(pandoc.Pandoc({})).walk = function(doc, filter) return pandoc.Pandoc(walk_blocks(doc.blocks, filter), doc.meta) end
for _, element in ipairs({ pandoc.Div({}), pandoc.Para({}), pandoc.Plain({}) }) do getmetatable(element).walk = walk_block end
