-- Claim the games of a shard that have waited long enough for a job. A claim is a lease: until it ends, only its holder
-- requests the job. A game that still waits then can be claimed again; the time since which it waits stays the same.
--
-- KEYS[1]  games of the shard that wait for the job (sorted set; score: since when)
-- KEYS[2]  leases: those of them for which the job must not be requested now (sorted set; score: until when)
-- ARGV[1]  claim only games that have waited since this time or earlier, in milliseconds since the epoch
-- ARGV[2]  now, likewise
-- ARGV[3]  end of the lease, likewise
--
-- Returns the claimed games, the one that has waited longest first.

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[2])
local claimed = {}
for _, game in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  if redis.call('ZADD', KEYS[2], 'NX', ARGV[3], game) == 1 then
    claimed[#claimed + 1] = game
  end
end
return claimed
