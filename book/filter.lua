--[[ filter.lua: what Pandoc cannot know about this book. It runs on every page, in every format.

     ::: {.listing file=book/examples/tiles.cu function=transpose_tiled}   a function, cut from a tested file;
     The caption                                                                    or from="text" to="text": the lines from the first
     :::                                                                            that holds one text to the next that holds the other

     `stride-two: global.load.sectors / global.load.requests`{.n f=2}   a number: the run in runs.launches and an expression of its JSON names;
                                                         f: digits behind the point; two runs: `a.model.time_us / b.model.time_us`{.n}
     ::: {.figure run=stride-two alt="…"}                the figure of a run's costliest access (or src=FILE.svg), with its caption;
                                                         of=load: of its costliest load, where the run has --pictures
     ::: {.explorer #ex-x run=stride-two alt="…"}        the same, to take hold of: see book/explorer.lua
     ::: {.figure draw=hierarchy alt="…"}                the figure of an idea: book/ideas/hierarchy.lua draws it
     ::: {.plot #fig-x x="…" y="…" log=xy alt="…"}       a chart: a list of series "words `h200/stride-{x}: gb_s`{at="1 2 4"}", or a line
                                                         `EXPRESSION`{.level} or {.slope}; then its caption. step= is from tick to tick of a linear x. With kind=bars one value each,
                                                         and what the model says beside it: {modelled="EXPRESSION"}
     ::: {.fault run=first-long}                         what the emulator says of a run that is meant to fault
     ::: {.goals lab=05}                                 the table of a lab's goals
     ::: devices                                         a list of "words `expression`", made a table of src/device/profiles.def; in prose
                                                         `profile/h200: sms`{.n}
     ::: {.evidence runs="PATTERN…"}                     the emulator's counts and times beside a GPU's, of the recorded runs so named that no
                                                         table before it has; {.evidence .head}: where and when they were recorded
     `stride-two: global.load.sectors`{.ask}             in a question: what the reader predicts, held to the run; `fewer`{.ask of="fewer|as many|more"}:
                                                         one of several words, of which the text is the right one; {.ask why="…"}: what a wrong answer
                                                         is told before its second try
     ::: aside                                           what may be passed over: in the margin of a wide page
     ::: {.predict} … ::: {.answer} … ::: :::            a question, and its answer folded away where the format can fold; ::: asked … :::: the
                                                         same around the list of questions at a chapter's end
     [; step through it]{.screen}                        words for a page alone, left out of the PDF and the EPUB
     [text](#id), [text](05-transpose.md#id)             references, checked; [PDF](thirty-two.pdf): the book in another form, or where that was not
                                                         made, what makes it

Whatever cannot be found stops the build with the place: a file, a function, a run, a key, an alt text, a reference. So does a number in
prose that looks like a result and is neither bound to a run nor declared (prose.lua). ]]

dofile("book/older.lua")
local json = dofile("book/json.lua")
local tools = dofile("book/tools.lua")
local prose = dofile("book/prose.lua")
local glossary = dofile("book/glossary.lua")
local plot = dofile("book/plot.lua")
local evidence = dofile("book/evidence.lua")
local explorer = dofile("book/explorer.lua")
local ideas = dofile("book/ideas.lua")
local words = dofile("book/words.lua")
local paths = dofile("book/paths.lua")
local typography = dofile("book/typography.lua")
local page = PANDOC_STATE.input_files[1] or "?"
-- EPUB and PDF are one file: each page is filtered on its own, for the format that BOOK_FORMAT says, and joined afterwards.
local in_one = os.getenv("BOOK_FORMAT")
local target = in_one or FORMAT
local site = target:match("html")
local html = site or target:match("epub")
local live = site and not in_one -- a page of the site, which may have scripts
local name = page:match("([^/]+)%.md$") or "index"
local build = os.getenv("BOOK_BUILD") or "build/book"
local language = { cu = "cuda", cuh = "cuda", ptx = "ptx", c = "c", h = "c", def = "c", sh = "bash" }

local function fail(format, ...)
    io.stderr:write(page .. ": " .. string.format(format, ...) .. "\n")
    os.exit(1)
end
tools.fail = fail

-- --- listings --------------------------------------------------------------------------------------------------------------

local function caption_of(div)
    local inlines = pandoc.List()
    for _, block in ipairs(div.content) do
        if block.t == "Para" or block.t == "Plain" then inlines:extend(block.content) end
    end
    return inlines
end

local function listing(div)
    local a = div.attributes
    -- What learners edit is quoted from the untouched copy.
    local path = tools.untouched(a.file or fail("a listing without file="))
    local text, first = tools.cut(path, a["function"], a.from, a.to)
    -- A page of the PDF is 100 columns wide; web pages scroll.
    if target == "latex" then text = tools.fold(text, 100) end
    local code = pandoc.CodeBlock(text, pandoc.Attr("", { language[a.file:match("%.(%w+)$")] or "default" }, { startFrom = tostring(first) }))
    local caption = caption_of(div)
    if #caption > 0 then caption:insert(pandoc.Str(" ")) end
    caption:extend({ pandoc.Span({ pandoc.Code(a.file) }, pandoc.Attr("", { "file" })) })
    return pandoc.Div({ code, pandoc.Div({ pandoc.Plain(caption) }, pandoc.Attr("", { "caption" })) }, pandoc.Attr(div.identifier, { "listing" }))
end

-- --- numbers ---------------------------------------------------------------------------------------------------------------

local function value_of(expression)
    local run, rest = expression:match("^([%w_/-]+):%s*(.+)$")
    return tools.evaluate(build, run, rest or expression)
end

local function number(code)
    return pandoc.Span({ pandoc.Str(tools.show(value_of(code.text), code.attributes.f)) }, pandoc.Attr("", { "bound" }, { title = html and code.text or nil }))
end

-- --- what readers predict -----------------------------------------------------------------------------------------------------

-- Paper has a line to write on, or the words to choose from. why: what a wrong answer is told before its second try.
local function ask(code)
    local a, choices = code.attributes, {}
    for choice in (a.of or ""):gmatch("[^|]+") do choices[#choices + 1] = choice end
    local want = a.of and code.text or tools.show(value_of(code.text), a.f):gsub(",", "")
    if a.of and not pandoc.List(choices):includes(want) then fail("%s is not among what can be chosen: %s", want, a.of) end
    if not live then return a.of and pandoc.Emph(table.concat(choices, " / ")) or pandoc.Str("\u{2026}\u{2026}\u{2026}") end
    local function escaped(words) return (words:gsub("&", "&amp;"):gsub('"', "&quot;")) end
    local field = ' class="ask" aria-label="What you predict" data-want="' .. escaped(want) .. (a.why and '" data-why="' .. escaped(a.why) or "") .. '">'
    if not a.of then return pandoc.RawInline("html", '<input inputmode="decimal" size="5" autocomplete="off"' .. field) end
    return pandoc.RawInline("html", "<select" .. field .. '<option value="">choose</option><option>' .. table.concat(choices, "</option><option>") .. "</option></select>")
end

-- --- figures ---------------------------------------------------------------------------------------------------------------

local figures = 0

-- The figure's dark colours follow the page's switch as well as the system.
local function follow_theme(svg)
    return (svg:gsub("@media %(prefers%-color%-scheme: ?dark%) ?(%b{})", function(block)
        local function under(prefix)
            return (block:sub(2, -2):gsub("([^{}]+)(%b{})", function(selectors, rule)
                return selectors:gsub("%s*([^,%s][^,]*)", prefix .. " %1") .. rule .. "\n"
            end))
        end
        return '@media (prefers-color-scheme: dark){' .. under(':root:not([data-theme="light"])') .. "}\n" .. under(':root[data-theme="dark"]')
    end))
end

-- An SVG's text as a page has it. Its ids are made its own, so that several can stand in one page.
local function in_page(svg, alt)
    figures = figures + 1
    local prefix = "f" .. figures .. "-"
    svg = follow_theme(svg):gsub("<%?xml.-%?>%s*", ""):gsub(' id="', ' id="' .. prefix):gsub('url%(#', "url(#" .. prefix):gsub('"#', '"#' .. prefix)
    return (svg:gsub('aria%-labelledby="[^"]*"', ""):gsub(' role="img"', "", 1):gsub("<svg", '<svg role="img" aria-label="' .. alt:gsub('"', "&quot;"):gsub("%%", "%%%%") .. '"', 1))
end

-- svg: its text; path: a file that has it; phone: the text of a second layout, for narrow screens.
local function figure_of(div, svg, path, caption, phone)
    local alt = div.attributes.alt
    if not alt or #alt < 10 then fail("a figure without alt text (alt=\"…\"): %s", div.identifier) end
    caption = pandoc.Div({ pandoc.Plain(caption) }, pandoc.Attr("", { "caption" }))
    if target:match("html") then
        local layouts = pandoc.List({ pandoc.RawBlock("html", in_page(svg, alt)) })
        if phone then layouts:insert(pandoc.RawBlock("html", in_page(phone, alt))) end
        layouts:insert(caption)
        return pandoc.Div(layouts, pandoc.Attr(div.identifier, phone and { "figure", "chart" } or { "figure" }))
    end
    local image = pandoc.Image({ pandoc.Str(alt) }, path)
    return pandoc.Div({ pandoc.Para({ image }), caption }, pandoc.Attr(div.identifier, { "figure" }))
end

-- A figure that is made here: its text is kept for what is no web page.
local function kept(div, svg, file, caption, phone)
    local path = string.format("%s/plots/%s.svg", build, file)
    local out = io.open(path, "w") or fail("%s cannot be written", path)
    out:write(svg)
    out:close()
    return figure_of(div, svg, path, caption, phone)
end

-- Of a run's costliest access, or of the costliest of a kind.
local function svg_of(run, kind)
    if not kind then return tools.read(build .. "/runs/" .. run .. ".svg") end
    for _, line in ipairs(json.decode(tools.read(build .. "/runs/" .. run .. ".json")).lines) do
        if line.op == kind and line.svg then return line.svg end
    end
    fail("the run %s has no figure of a %s", run, kind)
end

local function figure(div)
    local a = div.attributes
    if a.draw then
        local function show(expression, digits) return tools.show(value_of(expression), digits) end
        local svg, phone = ideas.draw(a.draw, { value = value_of, show = show, fail = fail })
        return kept(div, svg, "idea-" .. a.draw, caption_of(div), phone)
    end
    if a.src then return figure_of(div, tools.read(a.src), a.src, caption_of(div)) end
    local run = a.run or fail("a figure without run=, draw= or src=")
    local svg = ideas.named(svg_of(run, a.of), run, a.names, tools)
    return kept(div, svg, "run-" .. run, caption_of(div))
end

-- A figure that pages let readers take hold of: book/explorer.lua.
local explorers = false

local function explored(div)
    local caption = caption_of(div)
    if not live then return figure(div) end
    explorers = true
    local drawn = figure(div)
    drawn.content:remove()
    drawn.identifier = ""
    return explorer.blocks(div, tools, build, drawn, pandoc.Div({ pandoc.Plain(caption) }, pandoc.Attr("", { "caption" })))
end

-- --- charts ----------------------------------------------------------------------------------------------------------------

-- at="X X" or "NAME=X NAME=X": the expression with {x} replaced by each name, at each X times `times`; or, where x= has one, at the
-- value of a second expression. at="*": all runs of the record.
local function points_of(code)
    local a, points = code.attributes, {}
    local names = a.at == "*" and tools.names_of(code.text:match("^([%w-]+)/") or fail("at=\"*\" needs a record")) or a.at
    for word in names:gmatch("%S+") do
        local name, x = word:match("^(.-)=(.+)$")
        name = name or word
        local at = a.x and value_of((a.x:gsub("{x}", name))) or (tonumber(x or word) or fail("no place for %s in a plot", word)) * (tonumber(a.times) or 1)
        points[#points + 1] = { at, value_of((code.text:gsub("{x}", name))) }
    end
    return points
end

-- The list gives the series; what follows it is the caption.
local function chart(div)
    local a, series = div.attributes, {}
    for _, item in ipairs(div.content[1] and div.content[1].t == "BulletList" and div.content[1].content or fail("a plot without a list of series")) do
        local words = item[1].content
        local code = words:remove()
        if code.t ~= "Code" then fail("a series without an expression: %s", pandoc.utils.stringify(item)) end
        local entry = { label = (pandoc.utils.stringify(pandoc.Span(words)):gsub("%s+$", "")) }
        if code.attributes.at then
            entry.points = points_of(code)
        else
            entry.value = value_of(code.text)
            entry[code.classes:includes("slope") and "slope" or "level"] = entry.value
        end
        entry.modelled = code.attributes.modelled and value_of(code.attributes.modelled)
        entry.rule, entry.loose, entry.new = code.classes:includes("level"), code.classes:includes("loose"), code.classes:includes("new")
        series[#series + 1] = entry
    end
    local svg, phone
    if a.kind == "bars" then
        local bars, level = {}, nil
        for _, entry in ipairs(series) do if entry.rule then level = entry else bars[#bars + 1] = entry end end
        svg, phone = plot.bars({ unit = a.x, bars = bars, level = level })
    else
        svg, phone = plot.xy({ x = a.x, y = a.y, xlog = (a.log or ""):find("x"), ylog = (a.log or ""):find("y"), series = series, xstep = tonumber(a.step) })
    end
    div.content:remove(1)
    return kept(div, svg, name .. "-" .. div.identifier, caption_of(div), phone)
end

-- --- tables ----------------------------------------------------------------------------------------------------------------

-- Browsers find the widths of columns, and wide tables scroll on their own, so that the page does not. For paper, latex.lua finds them.
local function table_of(block)
    if not html then return block end
    local simple = pandoc.utils.to_simple_table(block)
    for k in ipairs(simple.widths) do simple.widths[k] = 0 end
    -- Who hears the page is told what the first column is.
    if site and simple.headers[1] and pandoc.utils.stringify(pandoc.Div(simple.headers[1])) == "" and #simple.headers > 1 then
        simple.headers[1] = { pandoc.Plain({ pandoc.Span({ pandoc.Str("What") }, pandoc.Attr("", { "unseen" })) }) }
    end
    local longest = 0
    for _, row in ipairs(simple.rows) do longest = math.max(longest, utf8.len(pandoc.utils.stringify(pandoc.Div(row[1])))) end
    local firm = longest <= 24 and #simple.headers <= 5 -- has room for its first words on one line, on a wide screen
    return pandoc.Div({ pandoc.utils.from_simple_table(simple) }, pandoc.Attr("", { "wide", firm and "firm" or nil }))
end

-- --- goals -----------------------------------------------------------------------------------------------------------------

local function goals(div)
    local lab = div.attributes.lab or fail("a table of goals without lab=")
    local rows = tools.goals(build, lab)
    local function cell(text) return { pandoc.Plain({ pandoc.Str(text) }) } end
    local function code(text) return { pandoc.Plain({ pandoc.Code(text) }) } end
    local lines = {}
    for _, goal in ipairs(rows) do
        lines[#lines + 1] = { cell(goal.what), goal.metric == "" and cell("right results") or code(goal.metric), cell(goal.full), cell(goal.zero), cell(goal.points) }
    end
    local heads = { cell("Run"), cell("What is counted"), cell("All points"), cell("None"), cell("Points") }
    local aligns = { pandoc.AlignLeft, pandoc.AlignLeft, pandoc.AlignRight, pandoc.AlignRight, pandoc.AlignRight }
    local simple = pandoc.SimpleTable({}, aligns, { 0, 0, 0, 0, 0 }, heads, lines)
    local meaning = pandoc.read("A value as good as *All points* earns all the points of its row; one no better than *None* earns none; one between the two earns some of them.", "markdown").blocks
    return { pandoc.Div({ table_of(pandoc.utils.from_simple_table(simple)) }, pandoc.Attr(div.identifier, { "goals" })), pandoc.Div(meaning, pandoc.Attr("", { "caption" })) }
end

-- --- devices ---------------------------------------------------------------------------------------------------------------

-- A list of "words: `expression`" becomes a table with a row for each item and a column for each device.
local function devices(div)
    local all = tools.profiles()
    local heads, aligns, rows = { {} }, { pandoc.AlignLeft }, {}
    for _, entry in ipairs(all) do
        heads[#heads + 1] = { pandoc.Plain({ pandoc.Str(entry.name) }) }
        aligns[#aligns + 1] = pandoc.AlignRight
    end
    for _, item in ipairs(div.content[1].content or fail("a table of devices without a list")) do
        local words = item[1].content
        local expression = words:remove()
        if expression.t ~= "Code" or words[#words].t ~= "Space" then fail("a row of devices without an expression: %s", pandoc.utils.stringify(item)) end
        words:remove()
        local row = { { pandoc.Plain(words) } }
        for _, entry in ipairs(all) do
            local value = tools.of_profile(entry, expression.text)
            local text = type(value) == "number" and tools.show(value, expression.attributes.f) or tostring(value)
            row[#row + 1] = { pandoc.Plain({ pandoc.Span({ pandoc.Str(text) }, pandoc.Attr("", { "bound" }))}) }
        end
        rows[#rows + 1] = row
    end
    local widths = {}
    for k = 1, #all + 1 do widths[k] = 0 end
    return pandoc.Div({ table_of(pandoc.utils.from_simple_table(pandoc.SimpleTable({}, aligns, widths, heads, rows))) }, pandoc.Attr(div.identifier, { "devices" }))
end

-- --- faults ----------------------------------------------------------------------------------------------------------------

local function fault(div)
    local run = div.attributes.run or fail("a fault without run=")
    return pandoc.CodeBlock((tools.read(build .. "/runs/" .. run .. ".txt"):gsub("\n+$", "")))
end

-- --- questions -------------------------------------------------------------------------------------------------------------

local function answer(div)
    if target:match("html") then
        local blocks = pandoc.List({ pandoc.RawBlock("html", '<details class="answer"><summary>Answer</summary>') })
        blocks:extend(div.content)
        blocks:insert(pandoc.RawBlock("html", "</details>"))
        return blocks
    end
    return nil -- key.lua moves it to the back
end

-- --- numbers in prose: see book/prose.lua -----------------------------------------------------------------------------------

-- --- references ------------------------------------------------------------------------------------------------------------

local function reference(link)
    local file, id = link.target:match("^([%w%-]*%.?m?d?)#(.+)$")
    if link.target:match("^%a+:") then return nil end
    local form = link.target:match("^thirty%-two%.(%a+)$")
    if form then return tools.exists(build .. "/" .. link.target) and link or pandoc.Code("make book-" .. form) end
    if not file then file, id = link.target, nil end
    local to = file == "" and name or file:match("^(.*)%.md$")
    if not to then fail("the reference %s leads to no page", link.target) end
    -- "chapter 05" stays on one line.
    local words = link.content
    if #words == 3 and words[2].t ~= "Str" and words[3].t == "Str" and words[3].text:find("^[%dA-Z]+$") then
        link.content = { pandoc.Str(words[1].text .. "\u{a0}" .. words[3].text) }
    end
    if to ~= "index" and not tools.knows(build, to, id) then fail("the reference %s leads nowhere", link.target) end
    if in_one then
        link.target = "#" .. (id and to .. "-" .. id or to)
    else
        link.target = (file == "" and "" or to .. ".html") .. (id and "#" .. id or "")
    end
    return link
end

-- --- the page --------------------------------------------------------------------------------------------------------------

local function blocks_of(div)
    local classes = div.classes
    if classes:includes("listing") then return listing(div) end
    if classes:includes("figure") then return figure(div) end
    if classes:includes("goals") then return goals(div) end
    if classes:includes("explorer") then return explored(div) end
    if classes:includes("plot") then return chart(div) end
    if classes:includes("fault") then return fault(div) end
    if classes:includes("devices") then return devices(div) end
    if classes:includes("evidence") then return evidence.blocks(div, tools, build, table_of) end
    if classes:includes("answer") then return answer(div) end
    if classes:includes("aside") and html then
        div.attributes.role = "note"
        return div
    end
end

-- pandoc takes a fence that it does not understand for text, the rest of the line with it.
local function unread_fence(para)
    local first = para.content[1]
    if first and first.t == "Str" and first.text:match("^:::") then
        fail("a fence that is not understood: %s", pandoc.utils.stringify(para):sub(1, 80))
    end
end

local function with_navigation(meta)
    if in_one then return {} end
    meta.explorers = explorers
    for key, value in pairs(tools.navigation(build, name)) do
        meta[key] = key == "sidebar" and pandoc.MetaBlocks({ pandoc.RawBlock("html", value) }) or pandoc.MetaString(value)
    end
    return meta
end

-- In one file an id must say whose it is, and the page's title is the chapter's heading.
local function own_id(element)
    if element.identifier ~= "" then element.identifier = name .. "-" .. element.identifier end
    return element
end

local function join(doc)
    if not in_one then return nil end
    doc = doc:walk({ Header = own_id, Div = own_id, Span = own_id })
    local title = doc.meta.title and pandoc.utils.stringify(doc.meta.title) or name
    local number = (tools.index(build)[name] or { number = "" }).number
    doc.blocks:insert(1, pandoc.Header(1, { pandoc.Str((number ~= "" and number .. "\u{2002}" or "") .. title) }, pandoc.Attr(name)))
    return doc
end

-- What the search finds, and which files the pages link.
local function remember(doc)
    if in_one or not site or not (tools.index(build)[name] or name == "index") then return nil end
    paths.write(build .. "/files/" .. name .. ".list")
    if name == "index" then return nil end
    words.write(build .. "/words/" .. name .. ".lua", name, tools.index(build)[name].title, doc)
end

return {
    { Pandoc = function(doc)
        local wrong = prose.check(doc, tools.book_constants())
        if #wrong > 0 then fail("%s", table.concat(wrong, "\n" .. page .. ": ")) end
        return name:match("^%d") and glossary.apply(doc, tools.terms(build)) or nil
    end },
    { Code = function(code)
        if code.classes:includes("n") then return number(code) end
        if code.classes:includes("ask") then return ask(code) end
    end },
    { Table = table_of, Para = unread_fence, Span = function(span) if span.classes:includes("screen") then return site and span.content or {} end end },
    { Div = blocks_of, Link = reference },
    { Code = function(code) if live then return paths.link(code) end end },
    { Link = paths.unnested },
    { Pandoc = remember },
    html and { Inlines = typography.of_pages, Code = typography.whole_words } or {},
    { Pandoc = join },
    { Meta = with_navigation },
}
