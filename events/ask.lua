-- Claim the games of a shard that have waited long enough for a job: whoever claims one asks for the job, and nobody
-- else does until the lease ends. A game that still waits then is claimed again. Since when it waits stays as it was.
--
-- KEYS[1]  games of the shard that wait for the job (sorted set; score: since when)
-- KEYS[2]  those of them for which nobody is to ask now (sorted set; score: until when)
-- ARGV[1]  the time, in milliseconds since the epoch, up to which a game must have begun to wait
-- ARGV[2]  now, likewise
-- ARGV[3]  end of the lease, likewise
--
-- Answers the games claimed, the one that waits longest first.

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])
local claimed = {}
for _, game in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  if redis.call('ZADD', KEYS[2], 'NX', ARGV[3], game) == 1 then
    claimed[#claimed + 1] = game
  end
end
return claimed
