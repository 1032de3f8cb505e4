-- How the language server is started, for vim.lsp.config and for vim.lsp.start alike.
local M = {}

M.NAME = 'verify_lsp'

-- The file types of everything that has a verifier or security rules of its own.
M.FILETYPES = {
  'asciidoc', 'astro', 'bash', 'cfg', 'conf', 'config', 'dockerfile', 'dosini', 'env', 'go', 'handlebars', 'hcl',
  'html', 'htmldjango', 'javascript', 'javascriptreact', 'jinja', 'jproperties', 'json', 'json5', 'jsonc', 'jsonl',
  'just', 'ksh', 'make', 'markdown', 'python', 'rst', 'rust', 'sh', 'svelte', 'svg', 'terraform', 'terraform-vars',
  'toml', 'typescript', 'typescriptreact', 'vue', 'xhtml', 'xml', 'xsd', 'xslt', 'yaml', 'yaml.ansible',
  'yaml.docker-compose', 'yaml.ghaction', 'yaml.github', 'yaml.gitlab', 'zsh',
}

M.ROOT_MARKERS = { '.git', 'verify.toml' }

--- The client's configuration as it is shipped.
---@return table
function M.defaults()
  require('verify_lsp.others').follow()
  return {
    name = M.NAME,
    cmd = { 'verify-lsp' },
    filetypes = M.FILETYPES,
    root_markers = M.ROOT_MARKERS,
    init_options = { capabilities = { collectDiagnostics = true } },
    handlers = require('verify_lsp.handlers').all(),
    commands = require('verify_lsp.mutants').commands(),
    on_exit = function(code, signal, client_id)
      require('verify_lsp.server').ended(code, signal, client_id)
    end,
  }
end

--- The configuration that holds: what the user said by vim.lsp.config, over what is shipped.
---@return table
function M.effective()
  if vim.lsp.config then
    local config = vim.lsp.config[M.NAME]
    if config then
      return vim.deepcopy(config)
    end
  end
  return M.defaults()
end

--- The program with its arguments, or nil when the server is started in another way.
---@return string[]?
function M.command()
  local client = require('verify_lsp.clients').any()
  local cmd = client and client.config.cmd or M.effective().cmd
  return type(cmd) == 'table' and cmd or nil
end

return M
