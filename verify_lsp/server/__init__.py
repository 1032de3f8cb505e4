"""The language server. Together with langservers the only room that knows LSP."""
