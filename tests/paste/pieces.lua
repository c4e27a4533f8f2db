-- pieces.lua: a Pandoc filter that writes each listing and each block of code of a chapter to a file of its own, PIECES/PAGE-NUMBER.cu.
local tools = dofile("book/tools.lua")
local folder, page, count = os.getenv("PIECES"), os.getenv("PAGE"), 0

local function write(text)
    count = count + 1
    local file = assert(io.open(string.format("%s/%s-%d.cu", folder, page, count), "w"))
    file:write(text, "\n")
    file:close()
end

function CodeBlock(block) write(block.text) end

function Div(div)
    local a = div.attributes
    if not div.classes:includes("listing") then return nil end
    write((tools.cut(a.file:gsub("^exercises/(.*)/kernel.cu$", "exercises/untouched/%1.cu"), a["function"], a.from, a.to)))
end
