-- evidence.lua: tables of the emulator's counts and times beside a GPU's, made of the two records and of what `warpscope evidence` says of them.
local evidence = { shown = {} }

local record, counts = "book/record/h200.json", "book/record/h200-emulated.json"

local function load_all(tools, build)
    if evidence.all then return evidence.all end
    local all = { measured = tools.decoded(record), emulated = tools.decoded(counts).runs, judged = tools.decoded(build .. "/runs/evidence.json").runs, names = {} }
    for line in tools.read("book/record.launches"):gmatch("[^\n]+") do
        local name = line:match("^([a-z][%w-]*):")
        if name and all.judged[name] then all.names[#all.names + 1] = name end
    end
    evidence.all = all
    return all
end

-- A shell's pattern as one of Lua's.
local function pattern_of(glob) return "^" .. glob:gsub("[%-%.%+%%%^%$%(%)%[%]]", "%%%0"):gsub("%*", ".*"):gsub("%?", ".") .. "$" end

-- The names that fit one of the patterns and that no table before has shown, in the record's order.
local function names_of(all, globs)
    local list = {}
    for _, name in ipairs(all.names) do
        local fits = false
        for glob in globs:gmatch("%S+") do fits = fits or name:match(pattern_of(glob)) end
        if fits and not evidence.shown[name] then
            list[#list + 1] = name
            evidence.shown[name] = true
        end
    end
    return list
end

local function find(run, path)
    for key in path:gmatch("[^.]+") do run = type(run) == "table" and run[key] or nil end
    return run
end

local function at(run, path) return find(run, path) or 0 end

local function cell(text, agrees)
    local inline = pandoc.Str(text)
    return { pandoc.Plain({ pandoc.Span({ agrees == false and pandoc.Strong({ inline }) or inline }, pandoc.Attr("", { "bound" })) }) }
end

local function ratio(emulated, measured)
    if emulated == 0 and measured == 0 then return "–" end
    return measured == 0 and "∞" or string.format("%.2f", emulated / measured)
end

local function row_of(tools, name, measured, emulated, judged)
    local loaded = at(measured, "global.load.sectors")
    local function hits(run) return loaded == 0 and "–" or string.format("%.1f", 100 * at(run, "global.load.l1_hit_sectors") / loaded) end
    -- Of loads and stores the kind that differs more.
    local function wavefronts()
        local loads, stores = "shared.load.wavefronts", "shared.store.wavefronts"
        -- Of the addresses, where that counter was read, else of the pipe.
        local function read(path)
            return find(measured, path) or at(measured, (path:gsub("wavefronts", "pipe_wavefronts")))
        end
        local function difference(path) return math.abs(at(emulated, path) - read(path)) / math.max(1, at(emulated, path), read(path)) end
        local path = difference(stores) > difference(loads) and stores or loads
        return ratio(at(emulated, path), read(path))
    end
    return {
        { pandoc.Plain({ pandoc.Code(name), pandoc.Str(judged.held_out and "\u{a0}°" or "") }) },
        cell(tools.show(loaded + at(measured, "global.store.sectors"), 0), judged.requests),
        cell(hits(emulated), judged.l1),
        cell(hits(measured), judged.l1),
        cell(ratio(at(emulated, "l2.read_sectors"), at(measured, "l2.read_sectors")), judged.l2),
        cell(wavefronts(), judged.shared),
        cell(tools.show(judged.modelled_us, 1)),
        cell(tools.show(judged.measured_us, 1)),
        cell(string.format("%.2f", judged.ratio), judged.time),
    }
end

local words = { requests = "Requests", l1 = "L1", l2 = "L2", shared = "Shared memory", time = "Time" }

-- A list: what differs, in which runs, and why.
local function reasons_of(all, names)
    local list, items = {}, {}
    for _, quantity in ipairs({ "requests", "l1", "l2", "shared", "time" }) do
        for _, name in ipairs(names) do
            local reason = all.judged[name].known[quantity]
            local key = reason and words[quantity] .. ": " .. reason
            if key and not list[key] then
                list[key] = {}
                items[#items + 1] = key
            end
            if key then table.insert(list[key], name) end
        end
    end
    local blocks = {}
    for i, key in ipairs(items) do
        local inlines = { pandoc.Str(key .. " ("), }
        for k, name in ipairs(list[key]) do
            if k > 1 then inlines[#inlines + 1] = pandoc.Str(", ") end
            inlines[#inlines + 1] = pandoc.Code(name)
        end
        inlines[#inlines + 1] = pandoc.Str(").")
        blocks[i] = { pandoc.Plain(inlines) }
    end
    return #blocks > 0 and pandoc.BulletList(blocks) or nil
end

-- Where and when a record was made.
local function head_of(r)
    return pandoc.Para({ pandoc.Span({ pandoc.Str(string.format("%s, %d SMs, clocks up to %d MHz (memory %d MHz), driver for CUDA %s, %s, recorded on %s.",
        r.device, r.sms, r.clock_mhz, r.memory_clock_mhz, r.driver, r.compiler, r.date)) }, pandoc.Attr("", { "bound" })) })
end

-- The blocks that stand for a div: with `head`, what the record is of; else a table of the runs that its runs= names.
function evidence.blocks(div, tools, build, table_of)
    local all = load_all(tools, build)
    if div.classes:includes("head") then return { head_of(all.measured), head_of(tools.decoded("book/record/h100-80gb-hbm3.json")) } end
    local names = names_of(all, div.attributes.runs or tools.fail("a table of evidence without runs="))
    if #names == 0 then tools.fail("a table of evidence without a run: %s", div.attributes.runs) end
    local heads, aligns, widths, rows = {}, {}, {}, {}
    for k, title in ipairs({ "Run", "Sectors", "L1 hits %", "GPU's %", "L2 read", "Wavefronts", "Modelled µs", "Measured µs", "Ratio" }) do
        heads[k], aligns[k], widths[k] = { pandoc.Plain({ pandoc.Str(title) }) }, k == 1 and pandoc.AlignLeft or pandoc.AlignRight, 0
    end
    for k, name in ipairs(names) do rows[k] = row_of(tools, name, all.measured.runs[name], all.emulated[name], all.judged[name]) end
    local blocks = { table_of(pandoc.utils.from_simple_table(pandoc.SimpleTable({}, aligns, widths, heads, rows))) }
    blocks[2] = reasons_of(all, names)
    return pandoc.Div(blocks, pandoc.Attr(div.identifier, { "evidence", "full" }))
end

return evidence
