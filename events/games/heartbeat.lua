-- Report that a process of the service is alive, and record a downtime if none had reported for too long.
--
-- KEYS[1]  time of the last report (string, milliseconds since the epoch)
-- KEYS[2]  downtimes (sorted set; member "<from> <to>", score <to>)
-- ARGV[1]  now, in milliseconds since the epoch, as text
-- ARGV[2]  the longest silence, in milliseconds, that is not a downtime
-- ARGV[3]  how many downtimes are stored at most
--
-- Returns the stored downtimes, the oldest first.

local last = tonumber(redis.call('GET', KEYS[1]) or ARGV[1])
local now = tonumber(ARGV[1])
if now - last > tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[2], ARGV[1], string.format('%.0f', last) .. ' ' .. ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[3]))
end
if now > last or redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('SET', KEYS[1], ARGV[1])
end
return redis.call('ZRANGE', KEYS[2], 0, -1)
