/**
 * What Redis keeps for a key: a hash of times, in microseconds since the epoch by Redis's clock.
 * `busy`: when all permits so far would be used, if requests were evenly spaced. `held`: until when nothing
 * may leave. `seen`: the time of the last write, so that a clock that is set back does not keep the key
 * closed. `spacing`: the time between two requests in which `busy` is counted. The hash expires once it has no
 * effect. Each script is one atomic step and does the same as runtime/rate-limit/schedule.ts.
 */
const read = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local state = redis.call('HMGET', KEYS[1], 'busy', 'held', 'seen', 'spacing')
local back = math.max(tonumber(state[3] or 0) - now, 0)
local busy = tonumber(state[1] or 0) - back
local held = tonumber(state[2] or 0) - back`

/** Without `whole`, Lua would write large numbers with an exponent. */
const write = `
local function whole(number) return string.format('%.0f', number) end
local function write()
  redis.call('HSET', KEYS[1], 'busy', whole(busy), 'held', whole(held), 'seen', whole(now), 'spacing', whole(spacing))
  redis.call('PEXPIRE', KEYS[1], whole(math.max(math.ceil((math.max(busy, held) - now) / 1000), 0) + 1000))
end`

/** Counts earlier permits at the rate of now, if it has become faster. */
const count = `
local function count()
  local before = tonumber(state[4] or 0)
  if spacing >= before or busy <= now then return end
  busy = now + math.ceil((busy - now) / before * spacing)
  if held > now then busy = math.max(busy, held + slack) end
end`

/**
 * KEYS: the key. ARGV: most, within, spacing, slack, ahead. Returns texts: busy, the first delay, and the
 * delay of each permit.
 */
export const takeScript = `${read}
local most, within, spacing, slack, ahead = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])${write}${count}
count()
local first = math.max(busy - slack - now, 0)
local answer = { '', whole(first) }
if first <= within then
  local delay = first
  while #answer < most + 2 and delay <= first + ahead do
    answer[#answer + 1] = whole(delay)
    busy = math.max(busy, now) + spacing
    delay = math.max(busy - slack - now, 0)
  end
  write()
end
answer[1] = whole(busy)
return answer`

/** KEYS: the key. ARGV: the value of busy after the permits were taken, the time to give back. */
export const giveBackScript = `
if redis.call('HGET', KEYS[1], 'busy') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'busy', string.format('%.0f', ARGV[1] - ARGV[2]))`

/** KEYS: the key. ARGV: for how long, spacing, slack. */
export const holdScript = `${read}
local spacing, slack = tonumber(ARGV[2]), tonumber(ARGV[3])${write}${count}
count()
held = math.max(held, now + ARGV[1])
busy = math.max(busy, held + slack)
write()`

/** KEYS: the key. Returns for how long it is held. */
export const heldScript = `${read}
return string.format('%.0f', math.max(held - now, 0))`
