-- Runs and their reports: start, cancel, show.
local M = {}

local clients = require('verify_lsp.clients')
local notify = require('verify_lsp.notify')
local state = require('verify_lsp.state')

--- Starts a run; its end is announced.
---@param scope table a VerifyScope
function M.start(client, scope, buffer)
  local params = { scope = scope, workspace = clients.folder(client, buffer) }
  clients.request(client, 'verify/run', params, function(err, answer)
    if err then
      notify.refused(err)
    else
      state.began(client.id, answer.reportId)
    end
  end)
end

--- Cancels one run, or all of this server.
function M.cancel(client, report_id)
  local ids = report_id and { report_id } or state.runs_of(client.id)
  if #ids == 0 then
    notify.info('nothing is running')
  end
  for _, id in ipairs(ids) do
    clients.request(client, 'verify/cancel', { reportId = id }, function(err, answer)
      if err then
        notify.refused(err)
      elseif not answer.cancelled then
        notify.info('the run has ended already')
      end
    end)
  end
end

--- Shows a report, by default the newest one.
function M.show(client, report_id)
  local method, params = 'verify/latest', vim.empty_dict()
  if report_id then
    method, params = 'verify/get', { reportId = report_id }
  end
  clients.request(client, method, params, function(err, report)
    if err then
      notify.refused(err)
    elseif not report or report == vim.NIL then
      notify.info('there is no report yet; :Verify run makes one')
    else
      local page = require('verify_lsp.report').render(report)
      local about = { root = report.workspace, client_id = client.id, report_id = report.id }
      require('verify_lsp.view').show('report', page, about)
    end
  end)
end

--- Shows the list of stored reports.
function M.list(client)
  clients.request(client, 'verify/list', vim.empty_dict(), function(err, summaries)
    if err then
      notify.refused(err)
    else
      local page = require('verify_lsp.report').render_list(summaries)
      require('verify_lsp.view').show('reports', page, { root = '', client_id = client.id })
    end
  end)
end

--- The ids of stored reports, newest first, for the completion of words.
function M.ids(client)
  local err, summaries = clients.request_sync(client, 'verify/list', { limit = 50 }, 1000)
  return err and {} or vim.tbl_map(function(summary)
    return summary.id
  end, summaries)
end

return M
