-- What is known of runs: those that go on, and the last result of each server.
local M = {}

---@class verify_lsp.Run
---@field client_id integer
---@field checks table<string, string> status by kind

---@type table<string, verify_lsp.Run> by report id
M.running = {}

---@type table<integer, table> by client: {id, createdAt, status, riskTier}
M.last = {}

function M.began(client_id, report_id)
  M.running[report_id] = { client_id = client_id, checks = {} }
  M.tell(client_id)
end

function M.checked(report_id, checks)
  local run = M.running[report_id]
  if run then
    for _, check in ipairs(checks) do
      run.checks[check.kind] = check.status
    end
    M.tell(run.client_id)
  end
end

function M.ended(client_id, report_id)
  M.running[report_id] = nil
  M.tell(client_id)
end

--- Keeps the newest result.
---@param summary table a ReportSummary, or a Report
function M.result(client_id, summary)
  local known = M.last[client_id]
  if summary.status ~= 'running' and (not known or known.createdAt <= summary.createdAt) then
    M.last[client_id] = {
      id = summary.id,
      createdAt = summary.createdAt,
      status = summary.status,
      riskTier = summary.riskTier,
    }
    M.tell(client_id)
  end
end

--- Forgets a server that has ended.
function M.forget(client_id)
  M.last[client_id] = nil
  for report_id, run in pairs(M.running) do
    if run.client_id == client_id then
      M.running[report_id] = nil
    end
  end
  M.tell(client_id)
end

--- The ids of the runs of one server, oldest first.
function M.runs_of(client_id)
  local ids = {}
  for report_id, run in pairs(M.running) do
    if run.client_id == client_id then
      ids[#ids + 1] = report_id
    end
  end
  table.sort(ids)
  return ids
end

--- Lets statuslines and others know: `autocmd User VerifyLspUpdate`.
function M.tell(client_id)
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'VerifyLspUpdate',
    modeline = false,
    data = { client_id = client_id },
  })
  pcall(vim.cmd.redrawstatus, { bang = true })
end

return M
