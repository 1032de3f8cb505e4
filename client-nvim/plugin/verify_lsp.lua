-- The command `:Verify`. Nothing else is loaded before it is used or the language server starts.
if vim.g.loaded_verify_lsp then
  return
end
vim.g.loaded_verify_lsp = 1

vim.api.nvim_create_user_command('Verify', function(options)
  require('verify_lsp.commands').run(options.fargs)
end, {
  nargs = '*',
  desc = 'Verify changes with real tools',
  complete = function(lead, line, cursor)
    return require('verify_lsp.commands').complete(lead, line:sub(1, cursor))
  end,
})
