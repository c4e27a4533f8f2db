--[[ quiz.lua: pages of questions, which check.lua and book/filter.lua have read, in the format that QUIZ says: `moodle` (Moodle XML), `gift` (GIFT), `qti` (an
     assessment of QTI 1.2, as Canvas reads it), `manifest` (of a package of these), `sheet` (to print, without answers), `key` (with them). ]]

local format = os.getenv("QUIZ")

-- Links lead nowhere outside the book.
local function plain(blocks)
    return pandoc.Pandoc(blocks):walk({
        Link = function(link) return pandoc.Span(link.content) end,
        Span = function(span)
            span.attributes.title = nil
            return span.classes[1] and pandoc.Span(span.content) or nil
        end,
    }).blocks
end

local function html(blocks) return (pandoc.write(pandoc.Pandoc(plain(blocks)), "html"):gsub("<span>(.-)</span>", "%1"):gsub("\n$", "")) end

local function xml(text) return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" })) end

-- A choice without its box.
local function unboxed(item)
    local first = item[1]:clone()
    first.content = pandoc.List(first.content)
    first.content:remove(1)
    if first.content[1] and first.content[1].t == "Space" then first.content:remove(1) end
    local blocks = pandoc.List({ first })
    for i = 2, #item do blocks:insert(item[i]) end
    return blocks
end

-- {name, title, questions = {{id, title, kind, points, within, stem, choices = {{right, blocks}}, right, why, value}}}, a list.
local function pages_of(doc)
    local pages, page, question = {}, nil, nil
    for _, block in ipairs(doc.blocks) do
        if block.t == "Header" and block.level == 1 then
            page = { name = block.identifier, title = pandoc.utils.stringify(block):gsub("\u{2002}", " "), questions = {} }
            pages[#pages + 1] = page
        elseif block.t == "Header" then
            question = { id = block.identifier, title = pandoc.utils.stringify(block), kind = block.classes[1], points = tonumber(block.attributes.points) or 1,
                within = tonumber(block.attributes.within) or 0, stem = pandoc.List(), choices = {} }
            page.questions[#page.questions + 1] = question
        elseif block.t == "BulletList" and (question.kind == "choice" or question.kind == "several") then
            for _, item in ipairs(block.content) do
                question.choices[#question.choices + 1] = { right = item[1].content[1].text == "☒", blocks = unboxed(item) }
            end
        elseif block.t == "Div" and block.classes[1] == "right" then
            question.right, question.value = block.content, block.attributes.value
        elseif block.t == "Div" and block.classes[1] == "why" then
            question.why = block.content
        elseif question then
            question.stem:insert(block)
        end
    end
    return pages
end

local function right_of(question)
    local count = 0
    for _, choice in ipairs(question.choices) do if choice.right then count = count + 1 end end
    return count
end

-- --- Moodle XML ------------------------------------------------------------------------------------------------------------

-- Moodle knows these shares of the points only.
local shares = { "100", "50", "33.33333", "25", "20" }

local function moodle(pages)
    local out = { '<?xml version="1.0" encoding="UTF-8"?>', "<quiz>" }
    local function add(text, ...) out[#out + 1] = select("#", ...) > 0 and string.format(text, ...) or text end
    local function text(tag, value) add('<%s format="html"><text>%s</text></%s>', tag, xml(value), tag) end
    for _, page in ipairs(pages) do
        add('<question type="category"><category><text>$course$/top/Thirty-Two/%s</text></category></question>', xml(page.title))
        for _, q in ipairs(page.questions) do
            add('<question type="%s">', ({ number = "numerical", choice = "multichoice", several = "multichoice", reason = "essay" })[q.kind])
            add("<name><text>%s</text></name>", xml(q.title))
            text("questiontext", html(q.stem))
            text("generalfeedback", q.why and html(q.why) or "")
            add("<defaultgrade>%g</defaultgrade><penalty>0.3333333</penalty><hidden>0</hidden><idnumber>%s</idnumber>", q.points, q.id)
            if q.kind == "number" then
                add('<answer fraction="100" format="moodle_auto_format"><text>%s</text><feedback format="html"><text></text></feedback><tolerance>%g</tolerance></answer>', q.value, q.within)
                add("<unitgradingtype>0</unitgradingtype><unitpenalty>0</unitpenalty><showunits>3</showunits><unitsleft>0</unitsleft>")
            elseif q.kind == "reason" then
                add("<responseformat>editor</responseformat><responserequired>1</responserequired><responsefieldlines>10</responsefieldlines><attachments>0</attachments>")
                text("graderinfo", html(q.right))
            else
                add("<single>%s</single><shuffleanswers>true</shuffleanswers><answernumbering>abc</answernumbering>", q.kind == "choice" and "true" or "false")
                local share = shares[right_of(q)]
                for _, choice in ipairs(q.choices) do
                    local fraction = choice.right and share or q.kind == "several" and "-" .. share or "0"
                    add('<answer fraction="%s" format="html"><text>%s</text><feedback format="html"><text></text></feedback></answer>', fraction, xml(html(choice.blocks)))
                end
            end
            add("</question>")
        end
    end
    add("</quiz>")
    return table.concat(out, "\n")
end

-- --- GIFT ------------------------------------------------------------------------------------------------------------------

local function gift_text(text) return (text:gsub("[\\~=#{}:]", "\\%0"):gsub("\n", "\\n")) end

local function gift(pages)
    local out = {}
    for _, page in ipairs(pages) do
        out[#out + 1] = "$CATEGORY: $course$/top/Thirty-Two/" .. page.title .. "\n"
        for _, q in ipairs(page.questions) do
            local answer
            if q.kind == "number" then
                answer = "#" .. q.value .. (q.within > 0 and string.format(":%g", q.within) or "")
            elseif q.kind == "reason" then
                answer = ""
            else
                local parts, share = {}, shares[right_of(q)]
                for i, choice in ipairs(q.choices) do
                    local mark = q.kind == "choice" and (choice.right and "=" or "~") or "~%" .. (choice.right and "" or "-") .. share .. "%"
                    parts[i] = mark .. gift_text(html(choice.blocks))
                end
                answer = "\n" .. table.concat(parts, "\n") .. "\n"
            end
            local why = q.why and "####" .. gift_text(html(q.why)) or ""
            out[#out + 1] = string.format("// %s\n::%s::[html]%s{%s%s}\n", q.id, gift_text(q.title), gift_text(html(q.stem)), answer, why)
        end
    end
    return table.concat(out, "\n")
end

-- --- QTI 1.2, as Canvas reads it ----------------------------------------------------------------------------------------------

local types = { number = "numerical_question", choice = "multiple_choice_question", several = "multiple_answers_question", reason = "essay_question" }

local function material(value) return '<material><mattext texttype="text/html">' .. xml(value) .. "</mattext></material>" end

local function response(q)
    if q.kind == "number" then return '<response_str ident="response1" rcardinality="Single"><render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib></response_str>' end
    if q.kind == "reason" then return '<response_str ident="response1" rcardinality="Single"><render_fib><response_label ident="answer1" rshuffle="No"/></render_fib></response_str>' end
    local labels = {}
    for k, choice in ipairs(q.choices) do labels[k] = string.format('<response_label ident="%d">%s</response_label>', 1000 + k, material(html(choice.blocks))) end
    return string.format('<response_lid ident="response1" rcardinality="%s"><render_choice>%s</render_choice></response_lid>', q.kind == "choice" and "Single" or "Multiple", table.concat(labels))
end

local function condition(q)
    if q.kind == "number" then
        local low, high = tonumber(q.value) - q.within, tonumber(q.value) + q.within
        return string.format('<or><varequal respident="response1">%s</varequal><and><vargte respident="response1">%.10g</vargte><varlte respident="response1">%.10g</varlte></and></or>',
            q.value, low, high)
    end
    local parts = {}
    for k, choice in ipairs(q.choices) do
        local equal = string.format('<varequal respident="response1">%d</varequal>', 1000 + k)
        if choice.right then parts[#parts + 1] = equal elseif q.kind == "several" then parts[#parts + 1] = "<not>" .. equal .. "</not>" end
    end
    return q.kind == "several" and "<and>" .. table.concat(parts) .. "</and>" or parts[1]
end

local function item(q)
    local feedback = q.why and '<itemfeedback ident="general_fb"><flow_mat>' .. material(html(q.why)) .. "</flow_mat></itemfeedback>" or ""
    local shown = q.why and '<respcondition continue="Yes"><conditionvar><other/></conditionvar><displayfeedback feedbacktype="Response" linkrefid="general_fb"/></respcondition>' or ""
    local scored = q.kind == "reason" and '<respcondition continue="No"><conditionvar><other/></conditionvar></respcondition>' or
        '<respcondition continue="No"><conditionvar>' .. condition(q) .. '</conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>'
    local function field(label, entry) return "<qtimetadatafield><fieldlabel>" .. label .. "</fieldlabel><fieldentry>" .. entry .. "</fieldentry></qtimetadatafield>" end
    return string.format('<item ident="%s" title="%s"><itemmetadata><qtimetadata>%s</qtimetadata></itemmetadata><presentation>%s%s</presentation>' ..
        '<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>%s%s</resprocessing>%s</item>',
        q.id, xml(q.title), field("question_type", types[q.kind]) .. field("points_possible", string.format("%g", q.points)), material(html(q.stem)), response(q), shown, scored, feedback)
end

local function qti(pages)
    local page = pages[1]
    local items = {}
    for i, q in ipairs(page.questions) do items[i] = item(q) end
    return '<?xml version="1.0" encoding="UTF-8"?>\n<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">\n' ..
        string.format('<assessment ident="thirty-two-%s" title="%s"><qtimetadata><qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>1</fieldentry></qtimetadatafield></qtimetadata>\n<section ident="root_section">\n',
            page.name, xml("Thirty-Two: " .. page.title)) .. table.concat(items, "\n") .. "\n</section></assessment>\n</questestinterop>"
end

local function manifest(pages)
    local resources = {}
    for i, page in ipairs(pages) do
        resources[i] = string.format('<resource identifier="thirty-two-%s" type="imsqti_xmlv1p2"><file href="%s/%s.xml"/></resource>', page.name, page.name, page.name)
    end
    return '<?xml version="1.0" encoding="UTF-8"?>\n<manifest identifier="thirty-two-questions" xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1">\n' ..
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n<organizations/>\n<resources>\n" .. table.concat(resources, "\n") .. "\n</resources>\n</manifest>"
end

-- --- to print ----------------------------------------------------------------------------------------------------------------

local function letter(k) return string.char(96 + k) end

local function printed(pages, with_answers)
    local blocks, total = pandoc.List(), 0
    for _, page in ipairs(pages) do
        blocks:insert(pandoc.Header(2, { pandoc.Str(page.title) }, pandoc.Attr(page.name)))
        for _, q in ipairs(page.questions) do
            total = total + 1
            local title = pandoc.List({ pandoc.Str(total .. ". " .. q.title .. string.format(q.kind == "several" and " (%g, several may be right)" or " (%g)", q.points)) })
            if with_answers then title:extend({ pandoc.Space(), pandoc.Code(q.id:sub(#page.name + 2)) }) end -- as the plan calls it
            blocks:insert(pandoc.Header(3, title, pandoc.Attr(q.id)))
            blocks:extend(plain(q.stem))
            local items, right = {}, {}
            for k, choice in ipairs(q.choices) do
                items[k] = plain(choice.blocks)
                if choice.right then right[#right + 1] = letter(k) end
            end
            if #items > 0 then blocks:insert(pandoc.OrderedList(items, pandoc.ListAttributes(1, "LowerAlpha", "OneParen"))) end
            if with_answers then
                local answer = pandoc.List({ pandoc.Para({ pandoc.Strong({ pandoc.Str("Answer: " .. (q.value or table.concat(right, ", "))) }),
                    pandoc.Str(q.within > 0 and string.format(" (within %g)", q.within) or "") }) })
                if q.kind == "reason" then answer = pandoc.List({ pandoc.Para({ pandoc.Strong({ pandoc.Str("A good answer says:") }) }) }) .. plain(q.right) end
                if q.why then answer:extend(plain(q.why)) end
                blocks:insert(pandoc.Div(answer, pandoc.Attr("", { "right" })))
            end
        end
    end
    return pandoc.Pandoc(blocks, pandoc.Meta({ title = "Thirty-Two: " .. (with_answers and "answers" or "questions"), lang = "en-GB" }))
end

return { { Pandoc = function(doc)
    local pages = pages_of(doc)
    if format == "sheet" or format == "key" then return printed(pages, format == "key") end
    local text = ({ moodle = moodle, gift = gift, qti = qti, manifest = manifest })[format](pages)
    return pandoc.Pandoc({ pandoc.RawBlock("plain", text) })
end } }
