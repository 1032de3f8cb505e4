-- How the user is spoken to.
local M = {}

local function say(level)
  return function(text, ...)
    local message = 'verify-lsp: ' .. (select('#', ...) > 0 and text:format(...) or text)
    vim.schedule(function()
      vim.notify(message, level, { title = 'verify-lsp' })
    end)
  end
end

M.info = say(vim.log.levels.INFO)
M.warn = say(vim.log.levels.WARN)
M.error = say(vim.log.levels.ERROR)

--- Tells of an error that a request was answered with.
function M.refused(err)
  M.error('%s', require('verify_lsp.text').one_line(err.message or vim.inspect(err), 500))
end

return M
