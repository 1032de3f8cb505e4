-- :checkhealth verify_lsp
local M = {}

local health = vim.health
local LIMIT_MS = 10000

function M.check()
  M.editor()
  M.program()
  for _, client in ipairs(require('verify_lsp.clients').all()) do
    M.server(client)
  end
end

function M.editor()
  health.start('verify-lsp: the editor')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  elseif vim.fn.has('nvim-0.10') == 1 then
    health.warn('Neovim is older than 0.11', "start the server by hand: vim.lsp.start(require('verify_lsp').config())")
    return
  else
    health.error('Neovim is older than 0.10, which is not supported')
    return
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('verify_lsp') then
    health.warn('the server is not enabled', "add to your configuration: vim.lsp.enable('verify_lsp')")
  end
end

function M.program()
  health.start('verify-lsp: the program')
  local command = require('verify_lsp.config').command()
  if not command then
    health.info('the server is started by a function of your configuration')
    return
  end
  if vim.fn.executable(command[1]) == 0 then
    health.error(('`%s` is not to be found'):format(command[1]), {
      'install verify-lsp so that it is on the PATH of Neovim',
      "or say where it is: vim.lsp.config('verify_lsp', { cmd = { '/path/to/verify-lsp' } })",
    })
    return
  end
  health.ok(vim.fn.exepath(command[1]))
  if #require('verify_lsp.clients').all() == 0 then
    health.info('no server runs now: ' .. require('verify_lsp.server').why_none())
  end
end

function M.server(client)
  local text = require('verify_lsp.text')
  health.start(('verify-lsp: the server of %s'):format(client.config.root_dir or 'files without a folder'))
  local err, answer = require('verify_lsp.clients').request_sync(client, 'verify/status', vim.empty_dict(), LIMIT_MS)
  if err then
    health.error('the server does not say how things stand: ' .. text.one_line(err.message, 300), ':Verify restart')
    return
  end
  health.ok(('version %s, Python %s'):format(answer.versions['verify-lsp'], answer.versions.python))
  for _, folder in ipairs(answer.folders) do
    local sentence = require('verify_lsp.status').trust_sentence(folder)
    if folder.trusted then
      health.ok(folder.path .. ': ' .. sentence)
    else
      health.warn(folder.path .. ': ' .. sentence)
    end
    for _, problem in ipairs(folder.problems) do
      health.warn(text.one_line(problem, 300))
    end
    for _, tool in ipairs(folder.tools) do
      health.info((require('verify_lsp.status').tool_line(tool):gsub('^%- ', '')))
    end
  end
end

return M
