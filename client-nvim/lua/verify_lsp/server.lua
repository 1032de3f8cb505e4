-- The server's end, wanted or not, and its beginning anew.
local M = {}

local clients = require('verify_lsp.clients')
local config = require('verify_lsp.config')
local notify = require('verify_lsp.notify')

local STOP_LIMIT_MS = 5000

---@type table[] what ended without being asked to: {config, buffers}
local lost = {}

---@type table<integer, true> the clients that we stop ourselves
local stopping = {}

--- Takes note of an end; Neovim calls this for each client.
function M.ended(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  local record = client and M.record(client)
  vim.schedule(function()
    require('verify_lsp.state').forget(client_id)
    if (code == 0 and signal == 0) or vim.v.exiting ~= vim.NIL or not record or stopping[client_id] then
      return
    end
    table.insert(lost, record)
    local how = signal ~= 0 and ('was ended by signal %d'):format(signal) or ('ended with exit code %d'):format(code)
    notify.error('the server %s. :Verify restart starts it again; :LspLog may say why.', how)
  end)
end

--- What it takes to start the server of `client` again.
function M.record(client)
  return {
    config = client.config,
    buffers = vim.tbl_keys(client.attached_buffers or {}),
  }
end

--- Starts all servers anew, those that were lost included, for the buffers that they worked in.
function M.restart()
  local records = lost
  lost = {}
  for _, client in ipairs(clients.all()) do
    table.insert(records, M.record(client))
    M.stop(client)
  end
  local started = 0
  for _, record in ipairs(records) do
    for _, buffer in ipairs(record.buffers) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.lsp.start(record.config, { bufnr = buffer }) then
        started = started + 1
      end
    end
  end
  if started == 0 and not M.enable_again() then
    notify.warn('no buffer to start the server for. ' .. M.why_none())
    return
  end
  notify.info('the server was started anew')
end

--- Stops a server, at last by force.
function M.stop(client)
  stopping[client.id] = true
  clients.call(client, 'stop')
  local ended = vim.wait(STOP_LIMIT_MS, function()
    return clients.is_stopped(client)
  end, 20)
  if not ended then
    clients.call(client, 'stop', true)
  end
end

--- Lets Neovim look again at which open buffers the server is for.
---@return boolean started
function M.enable_again()
  if not (vim.lsp.is_enabled and vim.lsp.is_enabled(config.NAME)) or not M.is_installed() then
    return false
  end
  vim.lsp.enable(config.NAME)
  return #vim.lsp.get_clients({ name = config.NAME, _uninitialized = true }) > 0
end

--- The server that is meant from this buffer; one is started for the folder we are in where none runs.
function M.need(buffer)
  local client = clients.of(buffer)
  if client then
    return client
  end
  if #clients.all() > 1 then
    notify.warn('several servers run; go to a file of the folder that is meant')
    return nil
  end
  client = M.is_installed() and #lost == 0 and M.start_here() or nil
  if not client then
    notify.error(M.why_none())
  end
  return client
end

function M.start_here()
  local settings = config.effective()
  if vim.fn.has('nvim-0.11') == 0 or (settings.root_dir and type(settings.root_dir) ~= 'string') then
    return nil
  end
  local here = (vim.uv or vim.loop).cwd()
  settings.root_dir = settings.root_dir or vim.fs.root(here, settings.root_markers or config.ROOT_MARKERS) or here
  local id = vim.lsp.start(settings, { attach = false })
  local client = id and vim.lsp.get_client_by_id(id)
  if client and vim.wait(10000, function() return client.initialized end, 20) then
    return client
  end
  return nil
end

function M.is_installed()
  local command = config.command()
  return command == nil or vim.fn.executable(command[1]) == 1
end

--- Why no server runs, and what to do.
function M.why_none()
  local command = config.command()
  if command and vim.fn.executable(command[1]) == 0 then
    return ("`%s` is not to be found. Install verify-lsp, or say where it is: vim.lsp.config('verify_lsp', { cmd = { '/path/to/verify-lsp' } })"):format(
      require('verify_lsp.text').one_line(command[1], 200)
    )
  end
  if #lost > 0 then
    return 'the server has ended; :Verify restart starts it again'
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled(config.NAME) then
    return "the server is not enabled: vim.lsp.enable('verify_lsp')"
  end
  return 'no server runs; open a file of the folder that is meant. :checkhealth verify_lsp says more.'
end

return M
