-- How things stand, for the status line and as a page.
local M = {}

local text = require('verify_lsp.text')

--- A few words for the status line of the current buffer; '' where no server is at work.
---@return string
function M.line()
  local state = require('verify_lsp.state')
  local client = require('verify_lsp.clients').of(vim.api.nvim_get_current_buf())
  if not client then
    return ''
  end
  local runs = state.runs_of(client.id)
  if #runs > 0 then
    local now = {}
    for kind, status in pairs(state.running[runs[#runs]].checks) do
      if status == 'running' then
        now[#now + 1] = kind
      end
    end
    table.sort(now)
    return 'verify: running' .. (#now > 0 and ' ' .. table.concat(now, ', ') or '')
  end
  local last = state.last[client.id]
  if not last then
    return 'verify: ready'
  end
  local judged = vim.list_contains({ 'pass', 'warn', 'fail', 'error' }, last.status)
  return ('verify: %s'):format(last.status) .. (judged and (', tier %d'):format(last.riskTier) or '')
end

--- Shows what runs, what each folder has, and whether it is trusted.
function M.show(client)
  require('verify_lsp.clients').request(client, 'verify/status', vim.empty_dict(), function(err, answer)
    if err then
      require('verify_lsp.notify').refused(err)
    else
      require('verify_lsp.view').show('status', M.render(answer), { root = '', client_id = client.id })
    end
  end)
end

--- Renders the answer to `verify/status`.
function M.render(answer)
  local page = require('verify_lsp.report').page()
  page:add(('# verify-lsp %s'):format(answer.versions['verify-lsp']))
  for _, run in ipairs(answer.runs) do
    page:title(('Running: %s of %s'):format(run.scope.kind, text.one_line(run.workspace, 500)))
    for _, check in ipairs(run.checks) do
      page:add(('- %s: %s'):format(check.kind, check.status))
    end
  end
  for _, folder in ipairs(answer.folders) do
    page:title(text.one_line(folder.path, 500))
    page:add(M.trust_sentence(folder))
    for _, problem in ipairs(folder.problems) do
      page:add('- ' .. text.one_line(problem, 500))
    end
    for _, tool in ipairs(folder.tools) do
      page:add(M.tool_line(tool))
    end
  end
  return page
end

function M.trust_sentence(folder)
  if folder.trusted then
    return 'Trusted: its tests and tools may be run.'
  end
  return ('Not trusted: nothing that it carries is run. If you trust it: `:Verify trust`, or `verify-lsp trust %s`.'):format(
    text.one_line(folder.path, 500)
  )
end

function M.tool_line(tool)
  local found = tool.tool and tool.tool ~= vim.NIL
  local what = found and text.one_line(('%s — %s'):format(tool.tool, tool.command or ''), 300)
    or 'not found: ' .. text.one_line(tool.reason or '', 300)
  return ('- %s %s: %s'):format(tool.language, tool.check, what)
end

return M
