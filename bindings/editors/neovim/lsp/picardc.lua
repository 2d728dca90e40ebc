-- Neovim 0.11 and later read this by itself: `vim.lsp.enable('picardc')` is all that is left to say.
return {
  cmd = { 'picardc', 'lsp' },
  filetypes = { 'pcd' },
  root_markers = { '.git' },
  on_init = function() require('picardc').commands() end,
}
