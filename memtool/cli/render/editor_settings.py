"""The settings with which editors start `memtool lsp`; they are printed, never written."""

from __future__ import annotations

EDITORS = ("neovim", "vscode", "helix", "zed", "emacs", "claude-code")
"""The editors, in the order of the help."""

_NEOVIM = """\
-- in init.lua; the first branch is for Neovim 0.11 and later, the last for Debian 12's 0.7
local memtool = {
  name = 'memtool',
  cmd = { 'memtool', 'lsp' },
  filetypes = { 'markdown', 'json' },
  root_markers = { 'memtool.toml', '.obsidian' },
}
if vim.lsp.config then
  vim.lsp.config('memtool', memtool)
  vim.lsp.enable('memtool')
else
  vim.api.nvim_create_autocmd('FileType', {
    pattern = memtool.filetypes,
    callback = function(event)
      local file = vim.api.nvim_buf_get_name(event.buf)
      local marker = vim.fs and vim.fs.find(memtool.root_markers, { upward = true, path = file })[1]
        or vim.fn.findfile('memtool.toml', vim.fn.fnamemodify(file, ':p:h') .. ';')
      if not marker or marker == '' then return end
      memtool.root_dir = vim.fn.fnamemodify(marker, ':p:h')
      memtool.cmd_cwd = memtool.root_dir
      if vim.lsp.start then
        vim.lsp.start(memtool, { bufnr = event.buf })
      else
        memtool.client = memtool.client or vim.lsp.start_client(memtool)
        vim.lsp.buf_attach_client(event.buf, memtool.client)
      end
    end,
  })
end
"""

_VSCODE = """\
// install the extension "Generic LSP Client (v2)" (zsol.vscode-glspc), which runs any server;
// then in settings.json:
{
  "glspc.server.command": "memtool",
  "glspc.server.commandArguments": ["lsp", "--root", "${workspaceFolder}"],
  "glspc.server.languageId": ["markdown", "json", "jsonl"]
}
"""

_HELIX = """\
# in ~/.config/helix/languages.toml, or in .helix/languages.toml of the workspace
[language-server.memtool]
command = "memtool"
args = ["lsp"]

[[language]]
name = "markdown"
roots = ["memtool.toml"]
language-servers = ["memtool", "marksman"]

[[language]]
name = "json"
language-servers = ["memtool", "vscode-json-language-server"]
"""

_ZED = """\
// Zed starts only the servers of its extensions. Install the extension "Markdown Oxide", and let it start
// memtool instead of its own server; in settings.json:
{
  "lsp": {
    "markdown-oxide": {
      "binary": { "path": "memtool", "arguments": ["lsp"] }
    }
  },
  "languages": {
    "Markdown": { "language_servers": ["markdown-oxide"] }
  }
}
"""

_EMACS = """\
;; in init.el; both need the package markdown-mode; for Eglot, which is part of Emacs 29 and later
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((markdown-mode gfm-mode) . ("memtool" "lsp"))))
(add-hook 'markdown-mode-hook #'eglot-ensure)

;; or for lsp-mode
(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("memtool" "lsp"))
                    :activation-fn (lsp-activate-on "markdown")
                    :add-on? t
                    :server-id 'memtool)))
(add-hook 'markdown-mode-hook #'lsp-deferred)
"""

_CLAUDE_CODE = """\
# a plugin of two files in a folder of its own, such as ~/memtool-lsp;
# start Claude Code with: claude --plugin-dir ~/memtool-lsp

# .claude-plugin/plugin.json
{
  "name": "memtool-lsp",
  "description": "Diagnostics and navigation for the files of agent memory",
  "version": "1.0.0",
  "lspServers": "./.lsp.json"
}

# .lsp.json
{
  "memtool": {
    "command": "memtool",
    "args": ["lsp"],
    "extensionToLanguage": {
      ".md": "markdown",
      ".json": "json",
      ".jsonl": "jsonl"
    }
  }
}
"""

_SETTINGS = {
    "neovim": _NEOVIM,
    "vscode": _VSCODE,
    "helix": _HELIX,
    "zed": _ZED,
    "emacs": _EMACS,
    "claude-code": _CLAUDE_CODE,
}


def editor_settings(editor: str) -> str:
    """The settings of an editor, with comments that say where they belong."""
    return _SETTINGS[editor]
