-- What the editor's other language servers say of a text, once it is sure that they speak of the present one.
local M = {}

local NAME = 'verify_lsp'
local PUBLISH, PULL = 'textDocument/publishDiagnostics', 'textDocument/diagnostic'
local LIMIT_MS, GRACE_MS, STEP_MS = 12000, 3000, 50

---@class verify_lsp.Published
---@field at integer when it came, in the order of all that came and went
---@field version integer?
---@field diagnostics table[]

---@type table<integer, table<string, verify_lsp.Published>> by client, by address
local published = {}
---@type table<integer, table<string, integer>> when a text was last sent; by client, by address
local sent = {}
---@type table<integer, true> clients that let us wait in vain
local mute = {}
local clock = 0

local function tick()
  clock = clock + 1
  return clock
end

--- Begins to take note of what other servers publish. Doing so again changes nothing.
function M.follow()
  local group = vim.api.nvim_create_augroup('verify_lsp_others', { clear = true })
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      M.listen(client)
      if client and client.name == NAME then
        require('verify_lsp.state').tell(client.id)
      end
    end,
  })
  vim.api.nvim_create_autocmd('LspNotify', {
    group = group,
    callback = function(event)
      local document = (event.data.params or {}).textDocument
      if document and (event.data.method == 'textDocument/didOpen' or event.data.method == 'textDocument/didChange') then
        local client_id = event.data.client_id
        sent[client_id] = sent[client_id] or {}
        sent[client_id][document.uri] = tick()
      end
    end,
  })
  for _, client in ipairs(vim.lsp.get_clients()) do
    M.listen(client)
  end
end

--- Takes note of what one client publishes; its own handler goes on as before.
function M.listen(client)
  if not client or client.name == NAME or published[client.id] then
    return
  end
  for known in pairs(published) do
    if not vim.lsp.get_client_by_id(known) then
      published[known], sent[known], mute[known] = nil, nil, nil
    end
  end
  published[client.id] = {}
  local handler = client.handlers[PUBLISH]
  client.handlers[PUBLISH] = function(err, result, context, ...)
    if result and result.uri then
      mute[client.id] = nil
      published[client.id][result.uri] =
        { at = tick(), version = result.version, diagnostics = result.diagnostics or {} }
    end
    return (handler or vim.lsp.handlers[PUBLISH])(err, result, context, ...)
  end
end

--- Calls `done` with an entry for each file that other servers have spoken of; the rest is left out.
---@param uris string[]
---@param own integer the client that asks
---@param done fun(files: table[])
function M.collect(uris, own, done)
  local began, files, borrowed = vim.uv.now(), {}, {}
  for _, uri in ipairs(uris) do
    local file = M.file(uri, own, borrowed)
    if file then
      files[#files + 1] = file
    end
  end
  local function look()
    vim.uv.update_time()
    local waited = vim.uv.now() - began
    local states = vim.tbl_map(function(file)
      return M.state(file, waited)
    end, files)
    if vim.list_contains(states, 'waiting') and waited < LIMIT_MS then
      vim.defer_fn(look, STEP_MS)
      return
    end
    local answer = {}
    for index, file in ipairs(files) do
      if states[index] == 'settled' then
        answer[#answer + 1] = M.answer(file, own)
      end
    end
    require('verify_lsp.unopened').give_back(borrowed)
    done(answer)
  end
  look()
end

--- What is known of one file at first, or nil when no other server is at work in it.
function M.file(uri, own, borrowed)
  local buffer = vim.fn.bufnr(vim.uri_to_fname(uri))
  if buffer == -1 or not vim.api.nvim_buf_is_loaded(buffer) then
    buffer = require('verify_lsp.unopened').borrow(vim.uri_to_fname(uri), own, borrowed)
  end
  local others = buffer and vim.tbl_filter(function(client)
    return client.name ~= NAME
  end, vim.lsp.get_clients({ bufnr = buffer })) or {}
  if #others == 0 then
    return nil
  end
  local file = { uri = uri, buffer = buffer, others = others, pulled = {}, tick = vim.api.nvim_buf_get_changedtick(buffer) }
  for _, client in ipairs(others) do
    if M.pulls(client, buffer) then
      M.pull(client, file)
    end
  end
  return file
end

function M.pulls(client, buffer)
  return require('verify_lsp.clients').call(client, 'supports_method', PULL, buffer)
end

function M.pull(client, file)
  file.pulled[client.id] = 'waiting'
  local params = { textDocument = { uri = vim.uri_from_bufnr(file.buffer) } }
  require('verify_lsp.clients').request(client, PULL, params, function(err, report)
    file.pulled[client.id] = not err and report and report.items or 'silent'
  end)
end

--- 'settled' when a server spoke of the present text, 'waiting' while one still may, 'silent' when none will.
function M.state(file, waited)
  if not vim.api.nvim_buf_is_loaded(file.buffer) or vim.api.nvim_buf_get_changedtick(file.buffer) ~= file.tick then
    return 'silent' -- The text is another one now.
  end
  local settled = false
  for _, client in ipairs(file.others) do
    local state = M.client_state(client, file, waited)
    if state == 'waiting' then
      return 'waiting'
    end
    settled = settled or state == 'settled'
  end
  return settled and 'settled' or 'silent'
end

function M.client_state(client, file, waited)
  if require('verify_lsp.clients').is_stopped(client) then
    return 'silent'
  end
  local pulled = file.pulled[client.id]
  if pulled then
    return type(pulled) == 'table' and 'settled' or pulled
  end
  local uri = vim.uri_from_bufnr(file.buffer)
  local said = published[client.id] and published[client.id][uri]
  if said then
    local of_now = said.version == vim.lsp.util.buf_versions[file.buffer]
    if said.version == nil or said.version == vim.NIL then
      -- Neovim holds edits back for a while.
      local held_back = 2 * ((client.flags or {}).debounce_text_changes or 150)
      of_now = waited >= held_back and said.at > ((sent[client.id] or {})[uri] or 0)
    end
    return of_now and 'settled' or 'waiting'
  end
  local busy = client.progress and client.progress.pending and next(client.progress.pending) ~= nil
  if mute[client.id] or (waited >= GRACE_MS and not busy) then
    mute[client.id] = true
    return 'silent'
  end
  return 'waiting'
end

function M.answer(file, own)
  local encoding = vim.lsp.get_client_by_id(own).offset_encoding
  local lines = vim.api.nvim_buf_get_lines(file.buffer, 0, -1, false)
  local diagnostics = {}
  for _, client in ipairs(file.others) do
    local pulled = file.pulled[client.id]
    local said = (published[client.id] or {})[vim.uri_from_bufnr(file.buffer)]
    local told = type(pulled) == 'table' and pulled or (not pulled and said and said.diagnostics) or {}
    for _, diagnostic in ipairs(told) do
      diagnostics[#diagnostics + 1] =
        require('verify_lsp.columns').converted(diagnostic, lines, client.offset_encoding, encoding)
    end
  end
  return { uri = file.uri, version = vim.lsp.util.buf_versions[file.buffer], diagnostics = diagnostics }
end

return M
