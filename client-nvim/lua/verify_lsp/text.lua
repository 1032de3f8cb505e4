-- Text of others, made fit to be shown: it may come from tools, repositories and agents.
local M = {}

--- `text` on one line of at most `limit` characters, without control and direction characters.
---@param text any
---@param limit integer
function M.one_line(text, limit)
  local clean = M.clean(tostring(text)):gsub('%s+', ' '):gsub('^ ', ''):gsub(' $', '')
  return M.bounded(clean, limit)
end

--- The last `most` lines of `text`, each bounded.
function M.last_lines(text, most, limit)
  local lines = {}
  for line in vim.gsplit((text:gsub('\r\n?', '\n'):gsub('\n+$', '')), '\n', { plain = true }) do
    lines[#lines + 1] = M.bounded(M.clean(line), limit)
  end
  return vim.list_slice(lines, math.max(1, #lines - most + 1), #lines)
end

function M.clean(text)
  return (
    text
      :gsub('\27%[[%d;?]*[%a]', '') -- colours
      :gsub('[%z\1-\31\127]', ' ')
      :gsub('\194[\128-\159]', ' ')
      :gsub('\226\128[\142\143\168-\174]', ' ')
      :gsub('\226\129[\166-\169]', ' ')
  )
end

function M.bounded(text, limit)
  if vim.fn.strchars(text) <= limit then
    return text
  end
  return vim.fn.strcharpart(text, 0, limit - 1) .. '…'
end

--- "1 file", "2 files".
function M.plural(number, noun)
  return ('%d %s%s'):format(number, noun, number == 1 and '' or 's')
end

function M.duration(milliseconds)
  if milliseconds < 1000 then
    return ('%d ms'):format(milliseconds)
  end
  if milliseconds < 60000 then
    return ('%.1f s'):format(milliseconds / 1000)
  end
  return ('%d min %d s'):format(milliseconds / 60000, milliseconds % 60000 / 1000)
end

return M
