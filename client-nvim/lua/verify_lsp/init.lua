-- What a user's configuration may call.
local M = {}

--- For the status line: "verify: fail, tier 2"; '' in buffers that no server is at work in.
---@return string
function M.statusline()
  return require('verify_lsp.status').line()
end

--- The configuration for vim.lsp.start, for Neovim before 0.11; `changes` are laid over it.
---@param changes table?
---@return table
function M.config(changes)
  return vim.tbl_deep_extend('force', require('verify_lsp.config').defaults(), changes or {})
end

return M
