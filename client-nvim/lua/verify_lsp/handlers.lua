-- What the server says of its own accord.
local M = {}

function M.all()
  return {
    ['verify/event'] = M.event,
    ['verify/changed'] = M.changed,
    ['verify/sessionEvent'] = M.session_event,
    ['verify/collectDiagnostics'] = M.collect,
  }
end

function M.event(_, params, context)
  local state, event = require('verify_lsp.state'), params.event
  if event.type == 'check' then
    state.checked(params.reportId, { event.check })
  elseif event.type == 'report' then
    state.checked(params.reportId, event.report.checks or {})
  elseif event.type == 'done' then
    state.ended(context.client_id, params.reportId)
    state.result(context.client_id, event.report)
    M.announce(event.report)
  elseif event.type == 'error' then
    state.ended(context.client_id, params.reportId)
    require('verify_lsp.notify').error('%s', require('verify_lsp.text').one_line(event.error, 500))
  end
end

--- Tells how a run of ours ended.
function M.announce(report)
  local notify = require('verify_lsp.notify')
  local levels = { fail = notify.error, error = notify.error, warn = notify.warn }
  local say = levels[report.status] or notify.info
  local untrusted = vim.iter(report.checks or {}):any(function(check)
    return check.status == 'skipped' and (check.reason or ''):find('not trusted', 1, true) ~= nil
  end)
  local more = untrusted and ' (not trusted: see :Verify trust)' or ''
  say('%s%s. See :Verify report', require('verify_lsp.report').brief(report), more)
end

--- Somebody's run ended: a hook's, the command line's, another editor's, or ours.
function M.changed(_, _, context)
  local clients = require('verify_lsp.clients')
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  clients.request(client, 'verify/list', { limit = 1 }, function(err, summaries)
    if not err and summaries and summaries[1] then
      require('verify_lsp.state').result(client.id, summaries[1])
    end
  end)
end

function M.session_event(_, params, context)
  if params.event and params.event.report then
    require('verify_lsp.state').result(context.client_id, params.event.report)
  end
end

--- Waits, in the coroutine that Neovim calls handlers of requests in, until the other servers have settled.
function M.collect(_, params, context)
  local running, is_main = coroutine.running()
  local answer, waiting
  require('verify_lsp.others').collect(params.uris, context.client_id, function(files)
    answer = files
    if waiting then
      coroutine.resume(running)
    end
  end)
  if not answer and running and not is_main then
    waiting = true
    coroutine.yield()
  end
  return answer or {}
end

return M
