-- Remove a game from a sorted set of its shard, unless its log has grown since it was read.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  projection queue or next alarms of the shard (sorted set)
-- ARGV[1]  game
-- ARGV[2]  number of the last decision that was read, "0" if there was no such game
--
-- Returns 1, or 0 if the log has grown: then nothing is removed.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[2] .. '-0' then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
