-- A misspelt column in Neovim itself: seen, fixed by a code action, gone; then a preview of the task.
--
--   PICARDC=target/debug/picardc nvim --headless -u NONE -i NONE -S bindings/editors/neovim/test/fix.lua
--
-- Ends with 0 if all holds; else says what does not and ends with 1.

local here = debug.getinfo(1, 'S').source:sub(2):gsub('[^/]*$', '')
local root = vim.fn.fnamemodify(here .. '../../../..', ':p')

local function fail(text)
  io.stderr:write('\nFAILED: ' .. text .. '\n')
  vim.cmd('cquit 1')
end

local function check(is, text)
  if not is then error(text, 0) end
end

local function wait(what, is)
  check(vim.wait(30000, is, 20), 'no sign of ' .. what .. '; messages: ' .. vim.fn.execute('messages'))
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

local function said() return vim.diagnostic.get(0) end

local function run()
  vim.opt.runtimepath:prepend(root .. 'bindings/editors/neovim')
  vim.cmd('filetype plugin on | syntax on | set noswapfile hidden')
  require('picardc').setup({ cmd = { vim.env.PICARDC or 'picardc', 'lsp' } })

  local past = table.concat(vim.fn.readfile(root .. 'suites/past.pcd'), '\n')
  local slip = past:gsub('crm%.AGE_YRS', 'crm.AEG_YRS')
  check(slip ~= past, 'the suite has no crm.AGE_YRS to misspell')
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile(vim.split(slip, '\n'), folder .. '/past.pcd')

  vim.cmd('edit ' .. folder .. '/past.pcd')
  check(vim.bo.filetype == 'pcd', 'the file type is ' .. vim.bo.filetype)
  check(vim.b.current_syntax == 'pcd', 'there is no highlighting')
  check(vim.v.errmsg == '', 'a script of the plugin fails: ' .. vim.v.errmsg)

  wait('a diagnostic', function() return #said() > 0 end)
  check(#said() == 1, 'not one diagnostic: ' .. vim.inspect(said()))
  local slipped = said()[1]
  check(slipped.message:find('AEG_YRS', 1, true), 'it does not name the column: ' .. slipped.message)
  check(slipped.severity == vim.diagnostic.severity.ERROR, 'it is no error')
  local line = vim.api.nvim_buf_get_lines(0, slipped.lnum, slipped.lnum + 1, false)[1]
  check(line:sub(slipped.col + 1, slipped.end_col) == 'AEG_YRS', 'it stands at ' .. line:sub(slipped.col + 1, slipped.end_col))
  print('seen: ' .. slipped.message)

  -- The author chooses the fix.
  local offered
  vim.ui.select = function(items, choice, done)
    offered = vim.tbl_map(function(item) return choice.format_item(item) end, items)
    for index, item in ipairs(items) do
      if choice.format_item(item):find('AGE_YRS', 1, true) then return done(item, index) end
    end
    done(nil, nil)
  end
  vim.api.nvim_win_set_cursor(0, { slipped.lnum + 1, slipped.col })
  vim.lsp.buf.code_action()
  wait('the fix', function() return text() == past end)
  print('fixed by: ' .. table.concat(offered or { 'the one action there is' }, ' | '))

  wait('the end of the diagnostic', function() return #said() == 0 end)
  vim.cmd('write')
  check(table.concat(vim.fn.readfile(folder .. '/past.pcd'), '\n') == past, 'what is written is not the suite')
  print('gone')

  -- A preview beside it.
  vim.fn.search('^task q103_repeat_words')
  vim.cmd('PicardcPreview 2')
  local function preview()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(buffer):find('q103_repeat_words 2', 1, true) then
        return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
      end
    end
  end
  wait('the preview', preview)
  check(preview():find('Respond only with these three words', 1, true), 'the preview has no prompt: ' .. preview())
  print('previewed')

  vim.fn.delete(folder, 'rf')
end

local ok, problem = pcall(run)
if not ok then fail(tostring(problem)) end
vim.cmd('qall!')
