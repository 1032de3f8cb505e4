-- Faults that no test notices: shown beside the text, told to an agent, answered with a test.
local M = {}

local clients = require('verify_lsp.clients')
local notify = require('verify_lsp.notify')

local RULES = { ['mutation-survived'] = true, ['mutation-not-covered'] = true }

--- Commands of the server's that an editor with windows and registers does better.
function M.commands()
  local function by(act)
    return function(command, context)
      local client = vim.lsp.get_client_by_id(context.client_id)
      local asked = (command.arguments or {})[1]
      if client and type(asked) == 'table' then
        M.told(client, asked, act)
      end
    end
  end
  return { verify_show_mutant = by(M.show), verify_brief_mutant = by(M.copy) }
end

--- Does with the fault on the cursor's line what the word says.
---@param word string? show, brief or test
function M.here(client, word)
  local acts = { show = M.show, brief = M.copy, test = M.insert }
  local act = acts[word or 'show']
  if not act then
    notify.error('no such word: %s (there are show, brief, test)', word)
    return
  end
  local asked = M.target(client)
  if not asked then
    notify.info('no fault on this line went unnoticed in the last proof')
  elseif act == M.insert then
    M.insert(client, asked)
  else
    M.told(client, asked, act)
  end
end

--- What the server is asked about the fault on the cursor's line, or nil.
function M.target(client)
  local found = vim.diagnostic.get(0, {
    namespace = vim.lsp.diagnostic.get_namespace(client.id),
    lnum = vim.api.nvim_win_get_cursor(0)[1] - 1,
  })
  for _, shown in ipairs(found) do
    local data = ((shown.user_data or {}).lsp or {}).data
    if RULES[shown.code] and type(data) == 'table' then
      return { findingId = data.findingId, reportId = data.reportId }
    end
  end
end

--- Asks about a fault and hands on what there is to say, unless it does not fit the text any more.
function M.told(client, asked, act)
  clients.request(client, 'verify/mutant', asked, function(err, told)
    if err then
      notify.refused(err)
    elseif told.reason then
      notify.warn('%s', require('verify_lsp.text').one_line(told.reason, 300))
    else
      vim.schedule(function()
        act(told)
      end)
    end
  end)
end

--- Shows the file and, beside it in a buffer that is no file, the same with the fault, in a tab of their own.
function M.show(told)
  local file = vim.uri_to_bufnr(told.uri)
  vim.fn.bufload(file)
  vim.cmd('tab split')
  vim.api.nvim_win_set_buf(0, file)
  local left = vim.api.nvim_get_current_win()
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(scratch, 0, -1, false, M.lines(told.mutated))
  -- A name that is taken is not worth a word: it is the same fault, shown twice.
  pcall(vim.api.nvim_buf_set_name, scratch, ('verify-mutant://%s %s'):format(told.path, told.title))
  vim.bo[scratch].bufhidden = 'wipe'
  vim.bo[scratch].filetype = vim.bo[file].filetype
  vim.bo[scratch].modifiable = false
  vim.bo[scratch].readonly = true
  vim.cmd('rightbelow vsplit')
  vim.api.nvim_win_set_buf(0, scratch)
  for _, window in ipairs({ left, vim.api.nvim_get_current_win() }) do
    vim.api.nvim_win_call(window, function()
      vim.cmd.diffthis()
      pcall(vim.api.nvim_win_set_cursor, window, { told.line, 0 })
    end)
  end
  vim.keymap.set('n', 'q', vim.cmd.tabclose, { buffer = scratch, desc = 'Close the comparison' })
end

function M.lines(text)
  local lines = vim.split(text:gsub('\r\n', '\n'), '\n', { plain = true })
  if lines[#lines] == '' and #lines > 1 then
    table.remove(lines)
  end
  return lines
end

--- Puts what an agent should know into the unnamed register, and onto the clipboard where there is one.
function M.copy(told)
  vim.fn.setreg('"', told.brief)
  local clipboard = vim.fn.has('clipboard') == 1 and pcall(vim.fn.setreg, '+', told.brief)
  notify.info(clipboard and 'copied for an agent, also to the clipboard' or 'copied for an agent, to the register "')
end

--- Has the server insert a failing test.
function M.insert(client, asked)
  clients.request(client, 'verify/insertTest', asked, function(err, answer)
    if err then
      notify.refused(err)
    elseif answer.applied then
      notify.info('a failing test is in %s, not saved yet', require('verify_lsp.text').one_line(answer.path, 200))
    end
  end)
end

return M
