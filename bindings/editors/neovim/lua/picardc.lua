--- `picardc` in Neovim, 0.7 and later: the language server, and the commands that its code lenses name.
local M = {}

local options = { cmd = { 'picardc', 'lsp' } }

--- Neovim 0.10 has this name, those before have the other.
local function clients(buffer)
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return vim.tbl_filter(function(client)
    return client.name == 'picardc' and (not buffer or vim.lsp.buf_is_attached(buffer, client.id))
  end, get())
end

local function say(text) vim.notify('picardc: ' .. text, vim.log.levels.ERROR) end

--- Markdown in a window beside the suite; the one that is there already is used again.
local function show(title, markdown)
  local name = 'picardc://' .. title
  local buffer = vim.fn.bufnr('^' .. vim.fn.fnameescape(name) .. '$')
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.api.nvim_buf_set_option(buffer, 'bufhidden', 'wipe')
  end
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(markdown, '\n', { plain = true }))
  vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
  if vim.fn.bufwinid(buffer) < 0 then
    vim.cmd('vertical sbuffer ' .. buffer)
    vim.api.nvim_buf_set_option(buffer, 'filetype', 'markdown')
    vim.cmd('wincmd p')
  end
end

--- Runs a command of the server; `done` gets what it answers.
local function execute(command, argument, done)
  local client = clients()[1]
  if not client then return say('the language server does not run') end
  local params = { command = command, arguments = { argument } }
  local function answered(err, result)
    if err then return say(err.message or tostring(err)) end
    if type(result) ~= 'table' or type(result.markdown) ~= 'string' then return say('no Markdown came of ' .. command) end
    done(result.markdown)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answered)
  else
    client.request('workspace/executeCommand', params, answered)
  end
end

--- The task around the cursor: the last that begins at or above it.
local function task_here()
  local lines = vim.api.nvim_buf_get_lines(0, 0, vim.api.nvim_win_get_cursor(0)[1], false)
  for line = #lines, 1, -1 do
    local name = lines[line]:match('^%s*task%s+([%w_]+)')
    if name then return name end
  end
end

local function task_of(command_arguments)
  if command_arguments and command_arguments[2] then return command_arguments[1], command_arguments[2] end
  local task = task_here()
  if not task then say('put the cursor into a task') end
  return vim.uri_from_bufnr(0), task
end

--- One instance of a task, as a person would read it. Without `uri` and `task`: of the one at the cursor.
function M.preview(uri, task, sample)
  uri, task = task_of({ uri, task })
  if not task then return end
  sample = sample or 1
  execute('picardc.previewInstance', { uri = uri, task = task, sample = sample }, function(markdown)
    show(('%s %d'):format(task, sample), markdown)
  end)
end

--- What is known of all instances of a task.
function M.analyze(uri, task)
  uri, task = task_of({ uri, task })
  if not task then return end
  execute('picardc.analyzeTask', { uri = uri, task = task }, function(markdown) show(task .. ' analysis', markdown) end)
end

--- The commands that lenses name, and `:PicardcPreview [SAMPLE]` and `:PicardcAnalyze`.
function M.commands()
  vim.lsp.commands['picardc.preview'] = function(command) M.preview(unpack(command.arguments or {})) end
  vim.lsp.commands['picardc.analyze'] = function(command) M.analyze(unpack(command.arguments or {})) end
  local command = vim.api.nvim_create_user_command
  command('PicardcPreview', function(said) M.preview(nil, nil, tonumber(said.args)) end, { nargs = '?' })
  command('PicardcAnalyze', function() M.analyze() end, {})
end

--- Starts the server for a buffer, or attaches the one that runs.
function M.start(buffer)
  local found = vim.fs and vim.fs.find('.git', { upward = true, path = vim.fn.expand('%:p:h') })[1]
  local config = {
    name = 'picardc',
    cmd = options.cmd,
    root_dir = found and vim.fs.dirname(found) or vim.fn.expand('%:p:h'),
  }
  if vim.lsp.start then return vim.lsp.start(config) end
  local running = clients()[1]
  local id = running and running.id or vim.lsp.start_client(config)
  if id then vim.lsp.buf_attach_client(buffer, id) end
  return id
end

--- `require('picardc').setup({ cmd = { '/path/to/picardc', 'lsp' } })`, for Neovim before 0.11.
function M.setup(given)
  options = vim.tbl_extend('force', options, given or {})
  M.commands()
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'pcd',
    group = vim.api.nvim_create_augroup('picardc', {}),
    callback = function(event) M.start(event.buf or event.buffer or vim.api.nvim_get_current_buf()) end,
  })
end

return M
