-- Trust: nothing that a folder carries is executed before the user trusts it.
local M = {}

local notify = require('verify_lsp.notify')

--- The command that trusts `folder`, or nil where we do not know how the server is started.
---@return string[]?
function M.command(folder)
  local command = require('verify_lsp.config').command()
  if not command then
    return nil
  end
  local words = vim.tbl_filter(function(word)
    return word ~= '--stdio' and word ~= 'serve'
  end, command)
  return vim.list_extend(words, { 'trust', folder })
end

--- Trusts the folder of `client` that holds the current file.
function M.trust(client)
  local folder = require('verify_lsp.clients').folder(client, 0)
  if not folder then
    notify.warn('no folder is open, so that there is none to trust')
    return
  end
  local command = M.command(folder)
  if not command then
    notify.warn('run in a terminal: verify-lsp trust %s', folder)
    return
  end
  local environment = client.config.cmd_env
  vim.system(command, { text = true, env = environment }, function(done)
    if done.code == 0 then
      notify.info('%s is trusted now: its tests and tools may be run', folder)
    else
      notify.error('%s', require('verify_lsp.text').one_line(done.stderr ~= '' and done.stderr or done.stdout, 300))
    end
  end)
end

return M
