-- Buffers that show reports, and the way from a line of theirs to its file.
local M = {}

local notify = require('verify_lsp.notify')

---@type table<integer, {page: verify_lsp.Page, root: string, client_id: integer?, report_id: string?}> by buffer
local views = {}

--- What a buffer shows; nil for one that is not ours.
function M.of(buffer)
  return views[buffer]
end

--- Shows a page in a window of its own, in the buffer of that name.
---@param name string
---@param page verify_lsp.Page
---@param about {root: string, client_id: integer?, report_id: string?}
---@return integer buffer
function M.show(name, page, about)
  local buffer = M.buffer('verify://' .. name)
  views[buffer] = vim.tbl_extend('force', about, { page = page })
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, page.lines)
  vim.bo[buffer].modifiable = false
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buffer)
  end
  vim.wo[0][0].wrap = true
  vim.wo[0][0].linebreak = true
  vim.wo[0][0].breakindent = true
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  return buffer
end

function M.buffer(name)
  for buffer in pairs(views) do
    if vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_get_name(buffer) == name then
      return buffer
    end
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buffer, name)
  vim.bo[buffer].bufhidden = 'hide'
  vim.bo[buffer].filetype = 'verify-report' -- Not "markdown": no plug-in for documents is meant.
  if not pcall(vim.treesitter.start, buffer, 'markdown') then
    vim.bo[buffer].syntax = 'markdown'
  end
  local function map(key, act, what)
    vim.keymap.set('n', key, act, { buffer = buffer, nowait = true, desc = what })
  end
  map('<CR>', M.go, 'verify-lsp: go to what this line speaks of')
  map('q', '<Cmd>close<CR>', 'verify-lsp: close the window')
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = function()
      views[buffer] = nil
    end,
  })
  return buffer
end

--- Goes to the file, or the report, that the line under the cursor speaks of.
function M.go()
  local buffer, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1]
  local view = views[buffer]
  local report_id, place = view.page.reports[line], view.page.places[line]
  if report_id then
    local client = require('verify_lsp.server').need(buffer)
    if client then
      require('verify_lsp.runs').show(client, report_id)
    end
  elseif place then
    M.open(view.root, place)
  else
    notify.info('this line speaks of no place')
  end
end

--- Opens the file of a place in another window, at its line and column.
function M.open(root, place)
  local path = vim.fs.normalize(vim.fs.joinpath(root, place.path))
  if place.path:find('^/') or vim.list_contains(vim.split(place.path, '/'), '..') or vim.fn.filereadable(path) == 0 then
    notify.warn('there is no file %s', require('verify_lsp.text').one_line(place.path, 200))
    return
  end
  M.leave()
  local buffer = vim.fn.bufadd(path)
  vim.bo[buffer].buflisted = true
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_buf(0, buffer)
  local line = math.max(1, math.min(place.line, vim.api.nvim_buf_line_count(buffer)))
  local text = vim.api.nvim_buf_get_lines(buffer, line - 1, line, false)[1] or ''
  local byte = require('verify_lsp.columns').bytes(text, (place.column or 1) - 1, 'utf-32')
  vim.api.nvim_win_set_cursor(0, { line, byte })
  vim.cmd('normal! zv')
end

--- Goes to the window that was left for the report, or to a new one.
function M.leave()
  local here = vim.api.nvim_get_current_win()
  vim.cmd('wincmd p')
  if vim.api.nvim_get_current_win() == here or views[vim.api.nvim_win_get_buf(0)] then
    vim.cmd('topleft split')
  end
end

return M
