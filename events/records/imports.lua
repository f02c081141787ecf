-- Store the whole log of a game that was played on another server, unless there already is a game of this id.
--
-- KEYS[1]     log (stream)
-- KEYS[2]     meta (hash)
-- KEYS[3]     projection queue of the shard (sorted set; score: since when)
-- KEYS[4]     record (string)
-- ARGV[1]     game
-- ARGV[2]     now, in milliseconds since the epoch
-- ARGV[3]     number of decisions
-- ARGV[4...]  bytes and hash of each decision, alternating; then fields and values of meta, alternating
--
-- Returns 1 if it was stored, 0 if there already is a game of this id.

if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[4]) > 0 then
  return 0
end
local decisions = tonumber(ARGV[3])
for number = 1, decisions do
  local at = 2 + number * 2
  redis.call('XADD', KEYS[1], number .. '-0', 'd', ARGV[at], 'h', ARGV[at + 1])
end
for at = 4 + decisions * 2, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
end
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
