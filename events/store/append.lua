-- Append one decision to the log of a game, if the last one there is exactly the expected one.
-- All keys belong to one shard. Nothing is written before XADD, so if the server refuses it (memory, replica, disk),
-- the game stays as it was.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  meta (hash)
-- KEYS[3]  next alarms of the shard (sorted set)
-- KEYS[4]  projection queue of the shard (sorted set; score: since when)
-- KEYS[5]  record of the finished game (string); the log is gone when it exists
-- KEYS[6]  people of the game (hash)
-- ARGV[1]  game
-- ARGV[2]  number of the last decision the caller knows, "0" to create the game
-- ARGV[3]  number of the new decision, one more
-- ARGV[4]  bytes of the new decision
-- ARGV[5]  its chain hash
-- ARGV[6]  next alarm in milliseconds since the epoch, as text; empty for none
-- ARGV[7]  channel on which appends are published
-- ARGV[8]  now, in milliseconds since the epoch, as text
-- ARGV[9]  channel for an alarm that is now the earliest of its shard
-- ARGV[10] how many entries a conflict may carry
-- ARGV[11] reference of a person that the decision refers to; empty for none
-- ARGV[12] the person
-- ARGV[13] chain hash of the last decision the caller knows; empty to skip this comparison
-- ARGV[14...]  fields and values of meta, alternating; the last pair is "head" and the number of the new decision
--
-- Returns {"appended"}, {"repeated"}, {"archived"}
-- or {"conflict", number of the last decision, entries after the expected one}.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local head = last and string.match(last[1], '^(%d+)%-') or '0'

if not last and redis.call('EXISTS', KEYS[5]) == 1 then
  return {'archived'}
end

if head ~= ARGV[2] or (ARGV[13] ~= '' and last[2][4] ~= ARGV[13]) then
  local entries = redis.call('XRANGE', KEYS[1], ARGV[3] .. '-0', '+', 'COUNT', ARGV[10])
  local mine = entries[1]
  if mine and mine[1] == ARGV[3] .. '-0' and mine[2][2] == ARGV[4] and mine[2][4] == ARGV[5] then
    -- The same decision on the same history: the retry of an append whose answer was lost.
    return {'repeated'}
  end
  return {'conflict', head, entries}
end

redis.call('XADD', KEYS[1], ARGV[3] .. '-0', 'd', ARGV[4], 'h', ARGV[5])
redis.call('HSET', KEYS[2], unpack(ARGV, 14))
if ARGV[11] ~= '' then
  redis.call('HSET', KEYS[6], ARGV[11], ARGV[12])
end
if ARGV[6] == '' then
  redis.call('ZREM', KEYS[3], ARGV[1])
else
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[1])
  if redis.call('ZRANGE', KEYS[3], 0, 0)[1] == ARGV[1] then
    redis.call('PUBLISH', ARGV[9], ARGV[6])
  end
end
redis.call('PUBLISH', ARGV[7], ARGV[1] .. ' ' .. ARGV[3])
redis.call('ZADD', KEYS[4], 'NX', ARGV[8], ARGV[1])
return {'appended'}
