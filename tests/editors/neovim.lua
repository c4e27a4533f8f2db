-- What a learner does in Neovim: for every version from 0.7 on, so that what came later, such as vim.lsp.start, is left alone.
local PATIENCE, SAVES = 1800000, 200 -- ms, after which what hangs is given up
local shown
local buffer = vim.api.nvim_get_current_buf()

local function say(line) io.stdout:write(line .. '\n') end

local function look(what, good, why)
    say((good and 'ok ' or 'FAILED ') .. what .. (good and '' or ': ' .. vim.inspect(why)))
end

local function wait_for(what, condition)
    look(what, vim.wait(PATIENCE, condition, 20), vim.diagnostic.get(buffer))
end

-- Line, from 0, of the first `what` behind the first `after`.
local function line_of(after, what)
    local seen = false
    for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
        seen = seen or line:find(after, 1, true)
        if seen and line:find(what, 1, true) then return i - 1 end
    end
end

local function has(line, severity, text)
    for _, one in ipairs(vim.diagnostic.get(buffer, { severity = severity })) do
        if one.lnum == line and one.message:find(text, 1, true) then return true end
    end
    return false
end

local function save() vim.cmd('silent write!') end

-- A map is not opened here: where it lies is noted, in whichever way this Neovim is told.
vim.lsp.handlers['window/showDocument'] = function(_, result)
    shown = vim.uri_to_fname(result.uri)
    return { success = true }
end
vim.lsp.handlers['window/showMessage'] = function(_, result)
    shown = result.message:match('The map is in (.*)')
    return vim.NIL
end

-- The one that the settings have started.
local client
local function find_client()
    for _, one in pairs(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = buffer }) or vim.lsp.buf_get_clients(buffer)) do
        client = one
    end
    return client
end

local function ask(method, params)
    params.textDocument = vim.lsp.util.make_text_document_params(buffer)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, PATIENCE)
    return answers and answers[client.id] and answers[client.id].result
end

local whole = { start = { line = 0, character = 0 }, ['end'] = { line = 1000, character = 0 } }

-- What stands beside the line, as an inlay hint or as a code lens, whichever the server offers to this Neovim.
local function beside(line)
    local hints = client.server_capabilities.inlayHintProvider
    for _, one in ipairs(ask(hints and 'textDocument/inlayHint' or 'textDocument/codeLens', { range = whole }) or {}) do
        local at = hints and one.position or one.range.start
        if at.line == line then return hints and one.label or one.command.title end
    end
    return ''
end

local function look_beside(what, line, text)
    local got = beside(line)
    look(what, got:find(text, 1, true) ~= nil, got)
end

local function run()
    look('the type of the file', vim.bo.filetype == 'cuda', vim.bo.filetype)
    wait_for('a client', find_client)
    local store = line_of('void rotate(', 'out[')
    local begin = vim.loop.hrtime()
    wait_for('a missed goal at its line', function() return has(store, vim.diagnostic.severity.WARN, 'rotate_sectors') end)
    say(string.format('took %.2f s from opening to diagnostics', (vim.loop.hrtime() - begin) / 1e9))
    look_beside('points', 0, 'Lab 05 Transpose: 0 of 100 points')
    look_beside('counts', store, 'sectors a request')
    wait_for('the editor shows them', function()
        return #(vim.lsp.inlay_hint and vim.lsp.inlay_hint.get({ bufnr = buffer }) or vim.lsp.codelens.get(buffer)) > 0
    end)
    look('a prediction is kept', beside(line_of('void patch(', 'out[')) == '', beside(store))
    local hover = ask('textDocument/hover', { position = { line = store, character = 10 } })
    look('hover', hover and hover.contents.value:find('A row is a 32-byte sector', 1, true) ~= nil, hover)

    vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { '// 𝄞 €' })
    look_beside('counts move with their line', store + 1, 'sectors a request')
    vim.api.nvim_buf_set_lines(buffer, 0, 1, false, {})

    local line = vim.api.nvim_buf_get_lines(buffer, store, store + 1, false)[1]
    vim.api.nvim_buf_set_lines(buffer, store, store + 1, false, { (line:gsub('out', 'nowhere')) })
    save()
    wait_for('an error at its line', function() return has(store, vim.diagnostic.severity.ERROR, 'nowhere') end)
    vim.api.nvim_buf_set_lines(buffer, store, store + 1, false, { line })
    begin = vim.loop.hrtime()
    save()
    wait_for('errors go when put right', function()
        return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0
            and has(store, vim.diagnostic.severity.WARN, 'rotate_sectors')
    end)
    say(string.format('took %.2f s from saving to diagnostics', (vim.loop.hrtime() - begin) / 1e9))

    local range = { start = { line = store, character = 0 }, ['end'] = { line = store, character = 0 } }
    local actions = ask('textDocument/codeAction', { range = range, context = { diagnostics = {} } })
    look('an action', actions and #actions > 0, actions)
    if actions and actions[1] then
        vim.lsp.buf_request_sync(buffer, 'workspace/executeCommand', actions[1].command, PATIENCE)
        vim.wait(PATIENCE, function() return shown end, 20)
        look('a map', shown and vim.fn.readfile(shown)[1]:find('<svg', 1, true) ~= nil, shown)
    end

    begin = vim.loop.hrtime()
    for i = 1, SAVES do
        vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { '// save ' .. i })
        save()
        vim.wait(i % 20, function() return false end)
    end
    wait_for('the last of 200 saves is answered', function() return beside(0):find('of 100 points', 1, true) end)
    say(string.format('took %.1f s for %d saves', (vim.loop.hrtime() - begin) / 1e9, SAVES))
    look('it never ended', not client.is_stopped())
    client.stop()
    wait_for('it ends', function() return client.is_stopped() end)
end

local good, why = pcall(run)
look('done', good, why)
vim.cmd('qall!')
