-- Claim the alarms of a shard that are due. A claim is a lease: the caller has until it ends to fire the alarm. Firing
-- appends to the game, which sets or removes its alarm; without an append, the alarm is due again when the lease ends.
--
-- KEYS[1]  next alarms of the shard (sorted set)
-- ARGV[1]  now, in milliseconds since the epoch, as text
-- ARGV[2]  end of the lease, in milliseconds since the epoch, as text
-- ARGV[3]  how many to claim at most
--
-- Returns {games claimed, earliest first; next alarm of the shard as text, or nil when there is none}.

local games = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, game in ipairs(games) do
  redis.call('ZADD', KEYS[1], ARGV[2], game)
end
local next_alarm = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {games, next_alarm[2] or false}
