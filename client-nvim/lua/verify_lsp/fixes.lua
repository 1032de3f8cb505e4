-- Safe fixes: of the finding under the cursor, and of all in a buffer.
local M = {}

local clients = require('verify_lsp.clients')
local notify = require('verify_lsp.notify')

--- Makes the safe fix of the finding on this line, in a file or in a report.
function M.here(client)
  local target = M.target(client)
  if not target then
    notify.info('no finding on this line can be fixed safely')
    return
  end
  clients.request(client, 'verify/applyFix', target, function(err, answer)
    if err then
      notify.refused(err)
    elseif not answer.applied then
      notify.warn('not fixed: %s', require('verify_lsp.text').one_line(answer.reason or 'no reason was given', 300))
    elseif target.reportId and require('verify_lsp.view').of(vim.api.nvim_get_current_buf()) then
      notify.info('fixed, but not saved yet (:wall saves all buffers)')
    end
  end)
end

function M.target(client)
  local buffer, cursor = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)
  local view = require('verify_lsp.view').of(buffer)
  if view then
    local finding = view.page.findings[cursor[1]]
    return finding and finding.fixable and { findingId = finding.id, reportId = view.report_id } or nil
  end
  local found = vim.diagnostic.get(buffer, {
    namespace = vim.lsp.diagnostic.get_namespace(client.id),
    lnum = cursor[1] - 1,
  })
  local best, distance
  for _, shown in ipairs(found) do
    local data = ((shown.user_data or {}).lsp or {}).data
    local away = cursor[2] < shown.col and shown.col - cursor[2] or math.max(0, cursor[2] - (shown.end_col or shown.col))
    if type(data) == 'table' and data.fixable and (not distance or away < distance) then
      best, distance = { findingId = data.findingId, reportId = data.reportId }, away
    end
  end
  return best
end

--- Makes all safe fixes of the current buffer.
function M.all()
  vim.lsp.buf.code_action({
    context = { only = { 'source.fixAll.verify' }, diagnostics = {} },
    apply = true,
  })
end

return M
