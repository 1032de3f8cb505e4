-- The words of `:Verify`.
local M = {}

local notify = require('verify_lsp.notify')

local SCOPES = { 'working-tree', 'staged', 'branch', 'files' }

local function starting_with(lead, words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

--- The scope that the words after `run` name, or nil and what is wrong with them.
---@param words string[]
function M.scope(words, buffer)
  local kind = words[1] or 'working-tree'
  if not vim.list_contains(SCOPES, kind) then
    return nil, ('no such scope: %s (there are %s)'):format(kind, table.concat(SCOPES, ', '))
  end
  if kind == 'branch' then
    return { kind = kind, base = words[2] }
  end
  if kind ~= 'files' then
    return { kind = kind }
  end
  local files = vim.list_slice(words, 2)
  if #files == 0 then
    files = { vim.api.nvim_buf_get_name(buffer) }
  end
  if files[1] == '' or vim.bo[buffer].buftype ~= '' and #words < 2 then
    return nil, 'this buffer has no file'
  end
  return {
    kind = kind,
    files = vim.tbl_map(function(file)
      return vim.fs.normalize(vim.fn.fnamemodify(vim.fn.expand(file), ':p'))
    end, files),
  }
end

---@type table<string, {run: fun(client: table, words: string[]), complete: (fun(lead: string, words: string[]): string[])?}>
local NEEDING_A_SERVER = {
  run = {
    run = function(client, words)
      local buffer = vim.api.nvim_get_current_buf()
      local scope, wrong = M.scope(words, buffer)
      if not scope then
        notify.error('%s', wrong)
        return
      end
      require('verify_lsp.runs').start(client, scope, buffer)
    end,
    complete = function(lead, words)
      if #words == 0 then
        return starting_with(lead, SCOPES)
      end
      return words[1] == 'files' and vim.fn.getcompletion(lead, 'file') or {}
    end,
  },
  report = {
    run = function(client, words)
      require('verify_lsp.runs').show(client, words[1])
    end,
    complete = function(lead, words)
      local client = #words == 0 and require('verify_lsp.clients').of(vim.api.nvim_get_current_buf())
      return client and starting_with(lead, require('verify_lsp.runs').ids(client)) or {}
    end,
  },
  list = {
    run = function(client)
      require('verify_lsp.runs').list(client)
    end,
  },
  cancel = {
    run = function(client, words)
      require('verify_lsp.runs').cancel(client, words[1])
    end,
    complete = function(lead)
      return starting_with(lead, vim.tbl_keys(require('verify_lsp.state').running))
    end,
  },
  fix = {
    run = function(client)
      require('verify_lsp.fixes').here(client)
    end,
  },
  fixall = {
    run = function()
      require('verify_lsp.fixes').all()
    end,
  },
  fault = {
    run = function(client, words)
      require('verify_lsp.mutants').here(client, words[1])
    end,
    complete = function(lead, words)
      return #words == 0 and starting_with(lead, { 'brief', 'show', 'test' }) or {}
    end,
  },
  status = {
    run = function(client)
      require('verify_lsp.status').show(client)
    end,
  },
  trust = {
    run = function(client)
      require('verify_lsp.trust').trust(client)
    end,
  },
}

--- Does what the words after `:Verify` say; without any, `status`.
---@param words string[]
function M.run(words)
  local name = words[1] or 'status'
  if name == 'restart' then
    require('verify_lsp.server').restart()
    return
  end
  local command = NEEDING_A_SERVER[name]
  if not command then
    notify.error('no such command: %s (there are %s)', name, table.concat(M.names(), ', '))
    return
  end
  local client = require('verify_lsp.server').need(vim.api.nvim_get_current_buf())
  if client then
    command.run(client, vim.list_slice(words, 2))
  end
end

function M.names()
  local names = vim.tbl_keys(NEEDING_A_SERVER)
  names[#names + 1] = 'restart'
  table.sort(names)
  return names
end

--- Completes the word `lead` at the end of the command line `line`.
function M.complete(lead, line)
  local words = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+', { trimempty = true })
  table.remove(words, 1) -- Verify, or what it was cut down to.
  if #words == 0 then
    return starting_with(lead, M.names())
  end
  local command = NEEDING_A_SERVER[words[1]]
  return command and command.complete and command.complete(lead, vim.list_slice(words, 2)) or {}
end

return M
