-- Count a finished game for its players, once.
--
-- KEYS[1]     results of the rulebook (sorted set; score: when a game was finished, in milliseconds since the epoch)
-- KEYS[2]     how many games of the rulebook have been counted, including those deleted since (number)
-- KEYS[3...]  statistics of the players of the game (hash), one key for each
-- ARGV[1]     game
-- ARGV[2]     when it was finished
-- ARGV[3]     rulebook
-- ARGV[4...]  for each player: whether the game was won (0 or 1), and points
--
-- Returns 1 if the game was counted, 0 if it had been counted before.

if redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1]) == 0 then
  return 0
end
redis.call('INCR', KEYS[2])
for index = 3, #KEYS do
  local at = 4 + (index - 3) * 2
  redis.call('HINCRBY', KEYS[index], ARGV[3] .. ':played', 1)
  redis.call('HINCRBY', KEYS[index], ARGV[3] .. ':won', ARGV[at])
  redis.call('HINCRBY', KEYS[index], ARGV[3] .. ':points', ARGV[at + 1])
end
return 1
