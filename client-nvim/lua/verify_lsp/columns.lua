-- Columns: servers count them in different units.
local M = {}

--- A diagnostic of a server that counts columns in `from`, with columns as one that counts in `to` has them.
function M.converted(diagnostic, lines, from, to)
  if from == to then
    return diagnostic
  end
  local range = diagnostic.range
  local changed = vim.deepcopy(diagnostic)
  changed.range = { start = M.place(range.start, lines, from, to), ['end'] = M.place(range['end'], lines, from, to) }
  changed.relatedInformation = nil -- Its places are in other files.
  return changed
end

function M.place(place, lines, from, to)
  local line = lines[place.line + 1] or ''
  return { line = place.line, character = M.units(line, M.bytes(line, place.character, from), to) }
end

--- The byte, from 0, at a column of `line`; past its end it is the end.
function M.bytes(line, column, encoding)
  if encoding == 'utf-8' then
    return math.min(column, #line)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(line, encoding, column, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, column, encoding == 'utf-16')
  return ok and byte or #line
end

--- The column, from 0, at a byte of `line`.
function M.units(line, byte, encoding)
  if encoding == 'utf-8' then
    return byte
  end
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local in_32, in_16 = vim.str_utfindex(line, byte)
  return encoding == 'utf-16' and in_16 or in_32
end

return M
