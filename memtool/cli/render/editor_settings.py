"""The settings with which editors start `memtool lsp`; they are printed, never written."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

EDITORS = ("neovim", "vscode", "helix", "zed", "emacs", "claude-code")
"""The editors, in the order of the help."""

_NEOVIM = """\
-- in init.lua; the first branch is for Neovim 0.11 and later, the second for 0.7 to 0.10
local memtool = {
  name = 'memtool',
  cmd = { WORDS },
  filetypes = { 'markdown', 'json', 'jsonl' },
  root_markers = { 'memtool.toml', '.obsidian' },
  workspace_required = true,
}
if vim.lsp.config then
  vim.lsp.config('memtool', memtool)
  vim.lsp.enable('memtool')
else
  local function root_of(file)
    local folder, above = vim.fn.fnamemodify(file, ':p:h'), nil
    while folder ~= above do
      for _, marker in ipairs(memtool.root_markers) do
        if vim.loop.fs_stat(folder .. '/' .. marker) then return folder end
      end
      folder, above = vim.fn.fnamemodify(folder, ':h'), folder
    end
  end
  local clients = {}  -- for 0.7: one client for each workspace
  vim.cmd('autocmd BufRead,BufNewFile *.jsonl setfiletype jsonl')
  vim.api.nvim_create_autocmd('FileType', {
    pattern = memtool.filetypes,
    callback = function(event)
      local root = root_of(vim.api.nvim_buf_get_name(event.buf))
      if not root then return end
      local config = vim.tbl_extend('force', memtool, { root_dir = root })
      if vim.lsp.start then
        vim.lsp.start(config, { bufnr = event.buf })
      else
        if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
          clients[root] = vim.lsp.start_client(config)
        end
        vim.lsp.buf_attach_client(event.buf, clients[root])
      end
    end,
  })
end
"""

_VSCODE = """\
// install the extension "Generic LSP Client (v2)" (zsol.vscode-glspc), which can run any language server;
// it starts the server once for each window, for the workspace that contains the window's first folder;
// then add this to settings.json:
{
  "glspc.server.command": PROGRAM,
  "glspc.server.commandArguments": [ARGUMENTS],
  "glspc.server.languageId": ["markdown", "json", "jsonl"]
}
"""

_HELIX = """\
# in ~/.config/helix/languages.toml, or in .helix/languages.toml of the workspace
[language-server.memtool]
command = PROGRAM
args = [ARGUMENTS]

[[language]]
name = "markdown"
roots = ["memtool.toml"]
language-servers = ["memtool", "marksman"]

[[language]]
name = "json"  # and JSON Lines
roots = ["memtool.toml"]
language-servers = ["memtool", "vscode-json-language-server"]
"""

_ZED = """\
// Zed starts only language servers that its extensions provide. Install the extension "Markdown Oxide", and
// make it start memtool instead of its own server, with these lines in .zed/settings.json of the workspace:
{
  "lsp": {
    "markdown-oxide": {
      "binary": { "path": PROGRAM, "arguments": [ARGUMENTS] }
    }
  },
  "languages": {
    "Markdown": { "language_servers": ["markdown-oxide"] },
    "JSON": { "language_servers": ["markdown-oxide", "..."] }
  },
  "file_types": { "JSON": ["jsonl"] }
}
"""

_EMACS = """\
;; in init.el; needs the markdown-mode package; for Eglot, which is part of Emacs 29 and later
(defun memtool-root (folder)
  "Return the workspace of FOLDER as a project, for Eglot only."
  (let ((root (and (bound-and-true-p eglot-lsp-context) (locate-dominating-file folder "memtool.toml"))))
    (and root (cons 'transient root))))
(with-eval-after-load 'project
  (add-hook 'project-find-functions #'memtool-root))
(defun memtool-start ()
  "Start memtool for a file in a workspace; other files keep their servers."
  (when (locate-dominating-file default-directory "memtool.toml")
    (setq-local eglot-server-programs
                '(((markdown-mode gfm-mode js-mode js-json-mode json-mode json-ts-mode) . (LISP))))
    (eglot-ensure)))
(add-to-list 'auto-mode-alist '("\\\\.jsonl\\\\'" . js-mode))
(dolist (hook '(markdown-mode-hook js-mode-hook json-ts-mode-hook))
  (add-hook hook #'memtool-start))

;; or for lsp-mode; when it asks for the project, choose the folder that contains memtool.toml
(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '(LISP))
                    :activation-fn (lambda (path _mode)
                                     (and (member (file-name-extension path) '("md" "json" "jsonl"))
                                          (locate-dominating-file path "memtool.toml")))
                    :add-on? t
                    :server-id 'memtool)))
(add-to-list 'auto-mode-alist '("\\\\.jsonl\\\\'" . js-mode))
(dolist (hook '(markdown-mode-hook js-mode-hook json-ts-mode-hook))
  (add-hook hook (lambda () (when (locate-dominating-file default-directory "memtool.toml") (lsp-deferred)))))
"""

_CLAUDE_CODE = """\
# a plugin that consists of two files; put them in a new folder, such as ~/memtool-lsp;
# start Claude Code with: claude --plugin-dir ~/memtool-lsp

# .claude-plugin/plugin.json
{
  "name": "memtool-lsp",
  "description": "Diagnostics and navigation for agent memory files",
  "version": "1.0.0",
  "lspServers": "./.lsp.json"
}

# .lsp.json
{
  "memtool": {
    "command": PROGRAM,
    "args": [ARGUMENTS],
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


def editor_settings(editor: str, words: Sequence[str]) -> str:
    """The settings with which an editor starts the server by these words; comments say where they belong."""
    program, *arguments = strings = [json.dumps(word, ensure_ascii=False) for word in words]
    values = {  # these strings are the same in all languages
        "PROGRAM": program,
        "ARGUMENTS": ", ".join(arguments),
        "WORDS": ", ".join(strings),
        "LISP": " ".join(strings),
    }
    return re.sub(r"\b(?:PROGRAM|ARGUMENTS|WORDS|LISP)\b", lambda name: values[name[0]], _SETTINGS[editor])
