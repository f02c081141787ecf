-- Replace the log of a finished game by its record, if the log still ends where the record does.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  record (string)
-- KEYS[3]  snapshot (string)
-- KEYS[4]  projection queue of the shard (sorted set)
-- KEYS[5]  next alarms of the shard (sorted set)
-- ARGV[1]  game
-- ARGV[2]  number of the last decision in the record
-- ARGV[3]  the record
-- ARGV[4]  how many entries a conflict may carry
--
-- Returns {"archived"}, or {"conflict", number of the last decision, entries after the record's last}.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last and redis.call('EXISTS', KEYS[2]) == 1 then
  return {'archived'}
end
local head = last and string.match(last[1], '^(%d+)%-') or '0'
if head ~= ARGV[2] or not last then
  return {'conflict', head, redis.call('XRANGE', KEYS[1], '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[4])}
end
redis.call('SET', KEYS[2], ARGV[3])
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
return {'archived'}
