-- For wrk: sends the whole requests of a file one after the other, over and over. All of them are as long, so that a
-- request is a piece of the file, with a path and headers of its own.
--   wrk ... -s whole.lua URL -- FILE BYTES_OF_A_REQUEST

local data, width, count
local place = 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  data = file:read("*a")
  file:close()
  width = tonumber(arguments[2])
  count = #data / width
end

function request()
  local from = place * width
  place = (place + 1) % count
  return data:sub(from + 1, from + width)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"broken":%d,"refused":%d,"timedOut":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.connect + errors.read + errors.write, errors.status, errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
