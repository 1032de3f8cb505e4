-- Files that no buffer shows: where another server works in their folder, it is let look at them for a while.
local M = {}

local MOST = 50

--- Loads `path` into a hidden buffer, for the running servers that its kind and folder belong to.
---@param own integer the client that asks
---@param borrowed integer[] takes note of the buffer
---@return integer? buffer
function M.borrow(path, own, borrowed)
  if #borrowed >= MOST or vim.fn.filereadable(path) == 0 then
    return nil
  end
  local kind = vim.filetype.match({ filename = path, contents = vim.fn.readfile(path, '', 20) })
  local wanted = vim.tbl_filter(function(client)
    return client.id ~= own and M.is_for(client, path, kind)
  end, vim.lsp.get_clients())
  if #wanted == 0 then
    return nil
  end
  local buffer = vim.fn.bufadd(path)
  local ignored = vim.o.eventignore
  vim.o.eventignore = 'all' -- No swap file's question, no plug-in's work, and no didOpen to all the others.
  local was_swapping = vim.o.swapfile
  vim.o.swapfile = false
  local loaded = pcall(vim.fn.bufload, buffer)
  vim.o.swapfile, vim.o.eventignore = was_swapping, ignored
  if not loaded then
    return nil
  end
  borrowed[#borrowed + 1] = buffer
  vim.api.nvim_buf_call(buffer, function()
    vim.cmd('noautocmd setlocal filetype=' .. kind)
  end)
  for _, client in ipairs(wanted) do
    vim.lsp.buf_attach_client(buffer, client.id)
  end
  return buffer
end

--- Whether a running server would be at work in a file of this kind, were it open.
function M.is_for(client, path, kind)
  local clients = require('verify_lsp.clients')
  local kinds = client.config.filetypes
  if not kind or client.name == 'verify_lsp' or clients.is_stopped(client) then
    return false
  end
  if type(kinds) ~= 'table' or not vim.list_contains(kinds, kind) then
    return false
  end
  return clients.covering({ client }, path) ~= nil
end

--- Unloads what was borrowed; what the user has opened in the meantime becomes a buffer like any other.
function M.give_back(borrowed)
  for _, buffer in ipairs(borrowed) do
    local loaded = vim.api.nvim_buf_is_loaded(buffer)
    if loaded and vim.fn.bufwinid(buffer) == -1 and not vim.bo[buffer].modified then
      vim.api.nvim_buf_delete(buffer, { unload = true })
    elseif loaded then
      vim.api.nvim_exec_autocmds('BufReadPost', { buffer = buffer })
    end
  end
end

return M
