-- Found by vim.lsp.enable('verify_lsp'); change any part by vim.lsp.config('verify_lsp', { ... }).
return require('verify_lsp.config').defaults()
