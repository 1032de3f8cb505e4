-- Which of the running servers is meant.
local M = {}

local config = require('verify_lsp.config')

--- All that run here; a server runs for each root.
function M.all()
  return vim.tbl_filter(function(client)
    return not M.is_stopped(client)
  end, vim.lsp.get_clients({ name = config.NAME }))
end

--- The one that is meant from a buffer: the one at work in it, the one whose folder it lies in, the only one.
---@param buffer integer
function M.of(buffer)
  local attached = vim.lsp.get_clients({ name = config.NAME, bufnr = buffer })[1]
  if attached then
    return attached
  end
  local view = require('verify_lsp.view').of(buffer)
  if view and view.client_id then
    local client = vim.lsp.get_client_by_id(view.client_id)
    if client and not M.is_stopped(client) then
      return client
    end
  end
  local all = M.all()
  local name = vim.bo[buffer].buftype == '' and vim.api.nvim_buf_get_name(buffer) or ''
  return M.covering(all, name ~= '' and name or (vim.uv or vim.loop).cwd()) or (#all == 1 and all[1] or nil)
end

--- The first one there is.
function M.any()
  return M.all()[1]
end

--- The one with the innermost folder that holds `path`.
function M.covering(clients, path)
  local best, depth = nil, -1
  for _, client in ipairs(clients) do
    for _, folder in ipairs(client.workspace_folders or {}) do
      local root = vim.uri_to_fname(folder.uri)
      if M.is_inside(path, root) and #root > depth then
        best, depth = client, #root
      end
    end
  end
  return best
end

--- The folder of `client` that holds the buffer's file, else its first one, else nil.
function M.folder(client, buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local best
  for _, folder in ipairs(client.workspace_folders or {}) do
    local root = vim.uri_to_fname(folder.uri)
    if M.is_inside(name, root) and #root > #(best or '') then
      best = root
    end
  end
  local first = (client.workspace_folders or {})[1]
  return best or (first and vim.uri_to_fname(first.uri)) or nil
end

--- Whether `path` is `folder` or lies in it.
function M.is_inside(path, folder)
  path, folder = vim.fs.normalize(path), vim.fs.normalize(folder)
  return path == folder or vim.startswith(path, folder:sub(-1) == '/' and folder or folder .. '/')
end

function M.is_stopped(client)
  return M.call(client, 'is_stopped')
end

--- Calls a method of a client, which takes the client itself since 0.11.
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Sends a request; `done(err, result)` is called once.
--- No buffer is named, so that Neovim sends all edits that it holds back first; it would not for the number 0.
function M.request(client, method, params, done)
  local sent = M.call(client, 'request', method, params, function(err, result)
    done(err, result)
  end)
  if not sent then
    done({ code = -1, message = 'the server has ended; :Verify restart starts it again' }, nil)
  end
end

--- Sends a request and waits for its answer.
---@return table? err, any result
function M.request_sync(client, method, params, limit_ms)
  local answered, err, result = false, nil, nil
  M.request(client, method, params, function(e, r)
    answered, err, result = true, e, r
  end)
  if not vim.wait(limit_ms, function() return answered end, 10) then
    return { message = ('no answer to %s within %d ms'):format(method, limit_ms) }, nil
  end
  return err, result
end

return M
