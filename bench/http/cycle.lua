-- For wrk: sends the bodies of a file one after the other, over and over. All of them are as long, filled up with
-- spaces, so that a request is one head and a piece of the file.
--   wrk ... -s cycle.lua URL -- FILE BYTES_OF_A_BODY MEAN_WAIT_MS
-- With a wait, each connection rests up to twice as long before its next request; wrk does not count that as latency.

local head, data, width, count
local place = 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  data = file:read("*a")
  file:close()
  width = tonumber(arguments[2])
  count = #data / width
  local whole = wrk.format("POST", nil, nil, string.rep(" ", width))
  head = whole:sub(1, #whole - width)
  local wait = tonumber(arguments[3])
  if wait > 0 then
    delay = function() return math.random(0, 2 * wait) end
  end
end

function request()
  local from = place * width
  place = (place + 1) % count
  return head .. data:sub(from + 1, from + width)
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"broken":%d,"refused":%d,"timedOut":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.connect + errors.read + errors.write, errors.status, errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
