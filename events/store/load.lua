-- Read a game from cold: its snapshot and the entries after it, in one round trip. A snapshot that does not agree with
-- the log (its decision is not there, or has another hash) is ignored, and the whole log is read.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  snapshot (string): "<number> <hash>", a line feed, the state
--
-- Returns {snapshot or nil, entries}.

local snapshot = redis.call('GET', KEYS[2])
if snapshot then
  local number, hash = string.match(snapshot, '^(%d+) (%x+)\n')
  if number then
    local entries = redis.call('XRANGE', KEYS[1], number .. '-0', '+')
    local at = entries[1]
    if at and at[1] == number .. '-0' and at[2][4] == hash then
      table.remove(entries, 1)
      return {snapshot, entries}
    end
  end
end
return {false, redis.call('XRANGE', KEYS[1], '-', '+')}
