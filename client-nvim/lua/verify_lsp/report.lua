-- A report as lines of Markdown, each with the place that it speaks of. Nothing here looks at the editor.
local M = {}

local text = require('verify_lsp.text')

local LIMIT, MOST, OUTPUT_LINES = 400, 200, 40

local MARKS = {
  pass = '✓', warn = '!', fail = '✗', error = '✗', skipped = '–', running = '…', pending = '…', cancelled = '–', empty = '–',
}
local WORDS = {
  fail = 'failed', error = 'did not work', warn = 'warned', pass = 'passed', skipped = 'not verified',
  running = 'still running', pending = 'not begun',
}
local ORDER = { 'fail', 'error', 'warn', 'pass', 'skipped', 'running', 'pending' }
local SEVERITY = { critical = 1, high = 2, medium = 3, low = 4, info = 5 }
local JUDGED = { pass = true, warn = true, fail = true, error = true }

---@class verify_lsp.Page
---@field lines string[]
---@field places table<integer, {path: string, line: integer, column: integer?}> by line number
---@field findings table<integer, table> the finding of each such line
---@field reports table<integer, string> the id of a report, on the lines of a list

--- "fail, risk tier 2 of 2: tests failed; lint passed; not verified: mutation".
function M.sentence(report)
  local tier = JUDGED[report.status] and (', risk tier %d of 2'):format(report.riskTier) or ''
  return report.status .. tier .. ': ' .. M.verdict(report)
end

--- The same in fewer words, so that it fits the line for messages.
function M.brief(report)
  local tier = JUDGED[report.status] and (', tier %d'):format(report.riskTier) or ''
  return report.status .. tier .. ': ' .. M.verdict(report, true)
end

---@param report table
---@param briefly boolean? only the number of what was not verified
function M.verdict(report, briefly)
  if report.status == 'empty' then
    return 'there is no change in this scope, so that nothing was verified'
  end
  local parts = report.status == 'cancelled' and { 'stopped before its end' } or {}
  for _, status in ipairs(ORDER) do
    local kinds = {}
    for _, check in ipairs(report.checks or {}) do
      if check.status == status then
        kinds[#kinds + 1] = check.kind
      end
    end
    if #kinds > 0 then
      local listed = briefly and status == 'skipped' and text.plural(#kinds, 'check') or table.concat(kinds, ', ')
      parts[#parts + 1] = status == 'skipped' and 'not verified: ' .. listed or listed .. ' ' .. WORDS[status]
    end
  end
  return #parts > 0 and table.concat(parts, '; ') or 'no check was made'
end

--- Renders a report.
---@param report table
---@return verify_lsp.Page
function M.render(report)
  local page = M.page()
  page:add(('# verify-lsp: %s'):format(M.sentence(report)))
  page:add('')
  page:add(M.setting(report))
  M.facts(page, report)
  M.claims(page, report)
  for _, status in ipairs({ 'fail', 'error', 'warn', 'pass' }) do
    for _, check in ipairs(report.checks or {}) do
      if check.status == status then
        M.check(page, check, report)
      end
    end
  end
  M.unverified(page, report)
  M.list(page, 'Risk', report.riskReasons, function(reason)
    return '- ' .. text.one_line(reason, LIMIT)
  end)
  M.older(page, report)
  return page
end

function M.page()
  return {
    lines = {}, places = {}, findings = {}, reports = {},
    add = function(self, line)
      self.lines[#self.lines + 1] = line
    end,
    title = function(self, title)
      self:add('')
      self:add('## ' .. title)
      self:add('')
    end,
    point = function(self, finding)
      if finding and finding.path ~= '' then
        self.places[#self.lines] = { path = finding.path, line = finding.line, column = finding.column }
        self.findings[#self.lines] = finding
      end
    end,
  }
end

function M.setting(report)
  local scope, base = report.scope, report.base
  local parts = { scope.kind .. (base and ' against ' .. text.one_line(base.ref, 100) or '') }
  if report.files and #report.files > 0 then
    parts[#parts + 1] = text.plural(#report.files, 'file')
  end
  if report.durationMs then
    parts[#parts + 1] = text.duration(report.durationMs)
  end
  parts[#parts + 1] = text.one_line(report.createdAt, 40)
  parts[#parts + 1] = text.one_line(report.id, 100)
  return table.concat(parts, ' · ')
end

--- A section of one line an entry; nothing when there is no entry.
function M.list(page, title, entries, line_of)
  if not entries or #entries == 0 then
    return
  end
  page:title(title)
  for index, entry in ipairs(entries) do
    if index > MOST then
      page:add(('- … %d more'):format(#entries - MOST))
      break
    end
    local line, place = line_of(entry, index)
    page:add(line)
    page:point(place)
  end
end

function M.facts(page, report)
  M.list(page, 'Facts', report.facts, function(fact, index)
    local command = fact.evidence.command
    local by = command and (' — `%s`'):format((text.one_line(command, LIMIT):gsub('`', "'"))) or ''
    local line = ('%d. %s: %s%s'):format(index, fact.check, text.one_line(fact.text, LIMIT), by)
    return line, M.first_finding(report, fact.check)
  end)
end

--- What a fact of a check leads to: the gravest that the check found.
function M.first_finding(report, kind)
  for _, check in ipairs(report.checks or {}) do
    if check.kind == kind then
      return vim.iter(M.own(check)):find(function(finding)
        return finding.path ~= ''
      end)
    end
  end
end

function M.claims(page, report)
  M.list(page, 'Claims', report.claims, function(claim)
    local numbers, place = {}, nil
    for index, fact in ipairs(report.facts or {}) do
      if vim.list_contains(claim.facts or {}, fact.id) then
        numbers[#numbers + 1] = tostring(index)
        place = place or M.first_finding(report, fact.check)
      end
    end
    local by = #numbers > 0 and ' by fact ' .. table.concat(numbers, ', ') or ''
    return ('- “%s” — %s%s'):format(text.one_line(claim.text, LIMIT), claim.status, by), place
  end)
end

--- What the change brought, the gravest first.
function M.own(check)
  local found = vim.tbl_filter(function(finding)
    return not finding.preexisting
  end, check.findings or {})
  table.sort(found, function(a, b)
    local left = { SEVERITY[a.severity] or 9, a.path, a.line, a.column or 0, a.id }
    local right = { SEVERITY[b.severity] or 9, b.path, b.line, b.column or 0, b.id }
    for index, value in ipairs(left) do
      if value ~= right[index] then
        return value < right[index]
      end
    end
    return false
  end)
  return found
end

function M.check(page, check, report)
  local found = M.own(check)
  page:title(('%s %s %s, %s'):format(MARKS[check.status], check.kind, WORDS[check.status], text.duration(check.durationMs)))
  if not M.is_a_fact(check.summary, report) then
    page:add(text.one_line(check.summary, LIMIT))
  end
  for index, finding in ipairs(found) do
    if index > MOST then
      page:add(('- … %d more'):format(#found - MOST))
      break
    end
    M.finding(page, finding)
  end
  if check.status ~= 'pass' then
    M.output(page, check)
  end
end

--- Whether a summary says what stands among the facts already.
function M.is_a_fact(summary, report)
  return vim.iter(report.facts or {}):any(function(fact)
    return fact.text == summary
  end)
end

function M.finding(page, finding)
  local at = finding.path == '' and finding.check
    or ('%s:%d%s'):format(text.one_line(finding.path, 1000), finding.line, finding.column and ':' .. finding.column or '')
  local mended = finding.fixable and ', fixable' or ''
  local rule = text.one_line(finding.rule, LIMIT)
  page:add(('- %s: %s (%s, %s%s)'):format(at, text.one_line(finding.message, LIMIT), rule, finding.severity, mended))
  page:point(finding)
  for _, more in ipairs({ finding.suggestion or '', finding.evidence or '' }) do
    if more:find('%S') then
      page:add('  ' .. text.one_line(more, LIMIT))
      page:point(finding)
    end
  end
end

function M.output(page, check)
  if not (check.command or check.output) then
    return
  end
  page:add('')
  page:add('~~~~')
  if check.command then
    page:add('$ ' .. text.one_line(check.command, LIMIT))
  end
  for _, line in ipairs(text.last_lines(check.output or '', OUTPUT_LINES, LIMIT)) do
    page:add((line:gsub('^~~~', ' ~~~')))
  end
  page:add('~~~~')
end

function M.unverified(page, report)
  local gaps = vim.tbl_filter(function(check)
    return check.status == 'skipped' or (check.reason ~= nil and check.status ~= 'error')
  end, report.checks or {})
  M.list(page, 'Not verified', gaps, function(check)
    return ('- %s: %s'):format(check.kind, text.one_line(check.reason or 'no reason was given', LIMIT))
  end)
end

function M.older(page, report)
  local old = {}
  for _, check in ipairs(report.checks or {}) do
    for _, finding in ipairs(check.findings or {}) do
      if finding.preexisting then
        old[#old + 1] = finding
      end
    end
  end
  if #old > 0 then
    page:title('There before the change')
    for index = 1, math.min(#old, MOST) do
      M.finding(page, old[index])
    end
  end
end

--- Renders the list of stored reports.
---@param summaries table[]
function M.render_list(summaries)
  local page = M.page()
  page:add('# verify-lsp: ' .. text.plural(#summaries, 'report'))
  page:add('')
  for _, summary in ipairs(summaries) do
    local counts = {}
    for _, severity in ipairs({ 'critical', 'high', 'medium', 'low', 'info' }) do
      if (summary.counts[severity] or 0) > 0 then
        counts[#counts + 1] = ('%d %s'):format(summary.counts[severity], severity)
      end
    end
    local found = #counts > 0 and table.concat(counts, ', ') or 'no findings'
    page:add(
      ('- %s %s · %s · tier %d · %s · %s'):format(
        MARKS[summary.status] or '?', text.one_line(summary.id, 100), summary.status, summary.riskTier, summary.scope.kind, found
      )
    )
    page.reports[#page.lines] = summary.id
  end
  return page
end

return M
