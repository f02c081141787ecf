-- Remove a game from those that wait, unless its log has gone on since it was looked at.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  games of the shard that wait for the projector, or next alarms of the shard (sorted set)
-- ARGV[1]  game
-- ARGV[2]  number of the last decision there was, "0" when there was no such game
--
-- Answers 1, or 0 when the game has gone on, and still waits.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[2] .. '-0' then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
