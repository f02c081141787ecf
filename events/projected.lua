-- Note that a game is projected up to a decision, unless it has gone on since.
--
-- KEYS[1]  log (stream)
-- KEYS[2]  games of the shard that wait for the projector (sorted set)
-- ARGV[1]  game
-- ARGV[2]  number of the last decision that is projected
--
-- Answers 1, or 0 when the game has gone on, and must be projected again.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[2] .. '-0' then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
