-- What a user does in Neovim, headless: each step writes a line to the file OUT, as JSON.
-- The settings are those that `memtool lsp --install neovim` prints (the file SETTINGS).
local out = assert(io.open(vim.env.OUT, 'w'))
local function say(name, value)
  out:write(vim.fn.json_encode({ name, value }), '\n')
  out:flush()
end
local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    say('timeout', what)
    vim.cmd('cquit 1')
  end
end

vim.o.swapfile = false
vim.o.hidden = true
vim.cmd('filetype on')
dofile(vim.env.SETTINGS)
local ok, problem = pcall(function()
  vim.cmd('edit ' .. vim.env.NOTE)
  vim.bo.filetype = 'markdown'
  wait('the client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)

  -- diagnostics as you type
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', 'See [[nowhere 😀]].' })
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  local found = vim.diagnostic.get(0)[1]
  say('diagnostic', { found.lnum, found.col, found.end_col, found.code or found.user_data.lsp.code, found.message })
  vim.cmd('undo')

  -- jump to a definition
  vim.fn.search('\\[\\[Test tiles')
  vim.cmd('normal! 4l')
  local start = vim.api.nvim_buf_get_name(0)
  vim.lsp.buf.definition()
  wait('the definition', function() return vim.api.nvim_buf_get_name(0) ~= start end)
  say('definition', vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t'))

  -- rename the note
  vim.fn.search('^# ')
  vim.cmd('normal! 3l')
  vim.lsp.buf.rename('Tiles for tests')
  wait('the rename', function() return vim.fn.filereadable(vim.env.RENAMED) == 1 end)
  vim.cmd('silent! wall')
  say('renamed', vim.fn.filereadable(vim.env.RENAMED))

  -- drop a candidate of another workspace, which has a server of its own
  vim.cmd('edit ' .. vim.env.CANDIDATES)
  wait('the second client', function() return #vim.lsp.get_active_clients() == 2 end)
  local client = vim.lsp.get_active_clients()[2]
  wait('the second server', function() return client.initialized end)
  local actions = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 1 } },
    context = { diagnostics = {} },
  }, 30000)
  say('candidate', { vim.bo.filetype, vim.tbl_map(function(action) return action.title end, actions[client.id].result) })
end)
if not ok then say('error', tostring(problem)) end
out:close()
vim.cmd('qall!')
