-- tools.lua: what filter.lua needs of the world outside the page: files, runs, goals, and the index of all pages.
local tools = { fail = error }
local profiles = dofile("book/profiles.lua")
local decode = dofile("book/json.lua").decode

function tools.read(path)
    local file = io.open(path, "rb") or tools.fail("%s cannot be read", path)
    local text = file:read("a")
    file:close()
    return text
end

function tools.exists(path)
    local file = io.open(path, "rb")
    return file ~= nil and file:close()
end

-- What learners edit is quoted from the copy that nobody has touched.
function tools.untouched(path) return (path:gsub("^exercises/(.*)/kernel.cu$", "exercises/untouched/%1.cu")) end

-- --- listings --------------------------------------------------------------------------------------------------------------

local function lines_of(text)
    local lines = {}
    for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
    return lines
end

-- From the line at which a top-level definition of this name begins (attributes, templates and comments above it are left out) to the
-- brace that closes it in the first column.
local function find_function(lines, name, path)
    local first
    for i, line in ipairs(lines) do
        if not first and line:match("^[%w_].*%f[%w_]" .. name .. "%s*%(") and not line:match(";%s*$") then first = i end
        if first and (line:match("^}") or (i == first and line:match("}%s*$"))) then return first, i end
    end
    tools.fail("%s has no function %s", path, name)
end

local function find_range(lines, from, to, path)
    local first
    for i, line in ipairs(lines) do
        if not first and line:find(from, 1, true) then first = i end
        if first and (not to or line:find(to, 1, true)) then return first, i end
    end
    tools.fail("%s has no lines from \"%s\" to \"%s\"", path, from, to or from)
end

-- As one text, without the spaces that all lines begin with.
local function dedented(lines)
    local least
    for _, line in ipairs(lines) do
        local spaces = line:match("^( *)%S")
        if spaces and (not least or #spaces < least) then least = #spaces end
    end
    local out = {}
    for i, line in ipairs(lines) do out[i] = line:sub((least or 0) + 1) end
    return table.concat(out, "\n")
end

-- The lines as one text, and the number of the first.
function tools.cut(path, name, from, to)
    local lines = lines_of(tools.read(path))
    local first, last = 1, #lines
    if name then first, last = find_function(lines, name, path) elseif from then first, last = find_range(lines, from, to, path) end
    local marker = "^%s*// %u+ YOUR CODE$"
    local kept = {}
    for i = first, last do
        if not lines[i]:match(marker) then kept[#kept + 1] = lines[i] end
    end
    return (dedented(kept):gsub("\n+$", "")), first
end

-- The text with lines of more than `most` columns broken at a space, or in the middle of a word that is longer than that; what follows is indented
-- further, and stays a comment where the line ends in one.
function tools.fold(text, most)
    local out = {}
    for line in (text .. "\n"):gmatch("(.-)\n") do
        local indent = line:match("^%s*") .. "    "
        while utf8.len(line) > most do
            local limit = utf8.offset(line, most + 1) - 1
            local cut = #(line:sub(1, limit):match("^(.*)%s") or "")
            if cut <= #indent then cut = limit end
            local head = line:sub(1, cut)
            out[#out + 1] = (head:gsub("%s+$", ""))
            line = indent .. (head:find("//", 1, true) and "// " or "") .. line:sub(cut + 1):gsub("^%s+", "")
        end
        out[#out + 1] = line
    end
    return table.concat(out, "\n")
end

-- --- runs ------------------------------------------------------------------------------------------------------------------

function tools.decoded(path) return decode(tools.read(path)) end

local files = {}

local function file_of(path, name)
    if not files[path] then
        local file = io.open(path, "rb")
        if not file then tools.fail("there is no run %s (%s)", name, path) end
        files[path] = decode(file:read("a"))
        file:close()
    end
    return files[path]
end

-- What was measured for the emulator, tests/hardware/NAME.csv, as a record: a run for each row, by its name or else its kernel, its columns by their names.
local function measured_by(path, name)
    local rows, columns = lines_of(tools.read(path)), {}
    local record = { runs = {} }
    for column in rows[1]:gmatch("[^,]+") do columns[#columns + 1] = column end
    for i = 2, #rows do
        local run, at = {}, 0
        for field in (rows[i] .. ","):gmatch("([^,]*),") do
            at = at + 1
            run[columns[at] or tools.fail("%s:%d has more fields than columns (%s)", path, i, name)] = tonumber(field) or field
        end
        local key = run.name or run.kernel
        if key and key ~= "" then record.runs[key] = run end
    end
    return record
end

local function record_of(record, name)
    local path = "book/record/" .. record .. ".json"
    local file = io.open(path, "rb")
    if file then
        file:close()
        return file_of(path, name)
    end
    path = "tests/hardware/" .. record .. ".csv"
    files[path] = files[path] or measured_by(path, name)
    return files[path]
end

-- A run's JSON; of NAME/RUN the part RUN of book/record/NAME.json, or the row RUN of tests/hardware/NAME.csv.
local function run_of(build, name)
    local record, part = name:match("^([^/]+)/(.+)$")
    if not record then return file_of(build .. "/runs/" .. name .. ".json", name) end
    return record_of(record, name).runs[part] or tools.fail("the record has no %s", name)
end

-- The names of a record's runs, in order, as one text.
function tools.names_of(record)
    local names = {}
    for name in pairs(record_of(record, record).runs) do names[#names + 1] = name end
    table.sort(names)
    return table.concat(names, " ")
end

local function lookup(value, key, whole)
    for part in key:gmatch("[^.]+") do
        value = type(value) == "table" and value[part] or nil
        if value == nil then tools.fail("%s has no %s", whole, key) end
    end
    return tonumber(value) or value
end

function tools.profiles() return profiles.all(tools.read, tools.fail) end

local function profile_of(name) return tools.profiles()[name] or tools.fail("there is no profile %s", name) end

function tools.of_profile(entry, expression) return profiles.evaluate(entry, expression, tools.fail) end

-- An expression of JSON names of one run, or (run nil) of names that begin with their runs'; the run profile/NAME has a device's fields.
function tools.evaluate(build, run, expression)
    local device = run and run:match("^profile/(.+)$")
    if device then return tools.of_profile(profile_of(device), expression) end
    local text = expression:gsub("[%a][%w_./-]*", function(name)
        local owner, key = run, name
        if not run then owner, key = name:match("^([%w_/-]+)%.(.+)$") end
        if not owner then tools.fail("what is %s in %s?", name, expression) end
        local entry = owner:match("^profile/(.+)$")
        local value = entry and tools.of_profile(profile_of(entry), key) or lookup(run_of(build, owner), key, owner)
        if type(value) ~= "number" then tools.fail("%s of %s is no number", key, owner) end
        return string.format(" %.17g ", value)
    end)
    local chunk = load("return " .. text) or tools.fail("%s is no expression", expression)
    return chunk()
end

-- 1,048,576; with `digits` behind the point where given, else two unless it is whole.
function tools.show(value, digits)
    digits = tonumber(digits) or (value == math.floor(value) and 0 or 2)
    local text = string.format("%." .. digits .. "f", value)
    local sign, whole, rest = text:match("^(-?)(%d+)(.*)$")
    whole = whole:reverse():gsub("(%d%d%d)", "%1,"):gsub(",$", ""):reverse()
    return sign .. whole .. rest
end

-- --- goals -----------------------------------------------------------------------------------------------------------------

-- The goals that give points, of a lab, as `warpscope lab goals --json` lists them.
function tools.goals(build, lab)
    local rows, runs = {}, {}
    for _, goals in ipairs(file_of(build .. "/goals.json", "goals")) do
        if goals.lab == lab then
            for _, run in ipairs(goals.runs) do runs[run.name] = run.kernel or run.text end
            for _, goal in ipairs(goals.goals) do
                local function text(key) return goal[key] and string.format("%.15g", goal[key]) or "" end
                if goal.points then
                    rows[#rows + 1] = { what = runs[goal.run], metric = goal.metric or "", full = text("full"), zero = text("zero"), points = text("points") }
                end
            end
        end
    end
    return #rows > 0 and rows or tools.fail("there is no lab %s", lab)
end

-- --- the index of all pages ------------------------------------------------------------------------------------------------

local index

-- Entries in order: {name, title, number, headings = {{id, text, level}}, ids = {id = true}}.
function tools.index(build)
    if index then return index end
    index = {}
    local quoted = "'" .. build:gsub("'", "'\\''") .. "'"
    for path in io.popen("ls " .. quoted .. "/index/*.lua 2>/dev/null"):lines() do
        local entry = dofile(path)
        index[#index + 1] = entry
        index[entry.name] = entry
    end
    return index
end

function tools.knows(build, name, id)
    local entry = tools.index(build)[name]
    return entry and (not id or entry.ids[id])
end

-- The words of the glossary: {id, text, quiet, meaning}.
function tools.terms(build)
    local entry = tools.index(build).glossary
    return entry and entry.terms or {}
end

function tools.book_constants()
    local list = {}
    for word in tools.read("book/constants"):gsub("#[^\n]*", ""):gmatch("%S+") do list[#list + 1] = word end
    return list
end

-- The classes of book/synonyms, each a list of words.
function tools.synonyms()
    local classes = {}
    for line in tools.read("book/synonyms"):gsub("#[^\n]*", ""):gmatch("[^\n]*,[^\n]*") do
        local class = {}
        for name in line:gmatch("[^,]+") do class[#class + 1] = name:match("^%s*(.-)%s*$") end
        classes[#classes + 1] = class
    end
    return classes
end

local function escape(text) return (text:gsub("&", "&amp;"):gsub("<", "&lt;")) end

local function link(entry, current)
    local here = entry.name == current and ' aria-current="page"' or ""
    local sections = {}
    if entry.name == current then
        for _, heading in ipairs(entry.headings) do
            if heading.level == 2 then sections[#sections + 1] = string.format('<li><a href="#%s">%s</a></li>', heading.id, escape(heading.text)) end
        end
    end
    return string.format('<li><a href="%s.html"%s><span class="number">%s</span>%s</a>%s</li>', entry.name, here, entry.number, escape(entry.title),
        #sections > 0 and "<ol>" .. table.concat(sections) .. "</ol>" or "")
end

-- Pages in the order of the sidebar: by parts, as the pages themselves name them.
local parts = { "Learn", "Reference", "Evidence", "Teach" }

local function in_parts(build)
    local list, known = {}, {}
    for _, part in ipairs(parts) do
        known[part] = true
        for _, entry in ipairs(tools.index(build)) do if entry.part == part then list[#list + 1] = entry end end
    end
    for _, entry in ipairs(tools.index(build)) do
        if not known[entry.part] then tools.fail("%s belongs to the part %s: there is none", entry.name, entry.part) end
    end
    return list
end

-- Metadata for the template: sidebar, previous and next page.
function tools.navigation(build, name)
    local items, result, part = {}, {}, nil
    local all = in_parts(build)
    for i, entry in ipairs(all) do
        if entry.part ~= part then
            items[#items + 1] = (part and "</ol>\n" or "") .. '<p class="part">' .. entry.part .. "</p>\n<ol aria-label=\"" .. entry.part .. "\">"
            part = entry.part
        end
        items[#items + 1] = link(entry, name)
        if entry.name == name then
            local before, after = all[i - 1], all[i + 1]
            if before then result.previous, result["previous-title"] = before.name .. ".html", before.title end
            if after then result.next, result["next-title"] = after.name .. ".html", after.title end
            result.number = entry.number
        end
    end
    if name == "index" and all[1] then result.next, result["next-title"] = all[1].name .. ".html", all[1].title end
    result.sidebar = table.concat(items, "\n") .. "</ol>"
    return result
end

return tools
