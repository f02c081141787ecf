-- Put the whole log of a game that was played elsewhere into the store, unless there is already a game of this id.
--
-- KEYS[1]     log (stream)
-- KEYS[2]     meta (hash)
-- KEYS[3]     games of the shard that wait for the projector (sorted set; score: since when)
-- KEYS[4]     record (string)
-- ARGV[1]     game
-- ARGV[2]     now, in milliseconds since the epoch
-- ARGV[3]     how many decisions there are
-- ARGV[4...]  bytes and hash of each decision, alternating; then fields and values of meta, alternating
--
-- Answers 1 when it was put there, 0 when there already is a game of this id.

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
