-- latex.lua: what the pages say by classes, for LaTeX.
local function around(div, environment)
    local blocks = pandoc.List({ pandoc.RawBlock("latex", "\\begin{" .. environment .. "}") })
    blocks:extend(div.content)
    blocks:insert(pandoc.RawBlock("latex", "\\end{" .. environment .. "}"))
    div.content = blocks
    return div
end

return { {
    Div = function(div)
        if div.classes:includes("caption") then return around(div, "bookcaption") end
        if div.classes:includes("predict") then return around(div, "bookpredict") end
    end,
    -- A figure stands where the text speaks of it, as wide as the text.
    Image = function(image)
        image.attributes.width = "100%"
        image.title = ""
        return image
    end,
    Para = function(para)
        if #para.content == 1 and para.content[1].t == "Image" then return pandoc.Plain(para.content) end
    end,
} }
