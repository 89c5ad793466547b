-- For wrk: sends the bodies of a file one after the other, over and over. All of them are as long, filled up with
-- spaces, so that a request is one head and a piece of the file.
--   wrk ... -s cycle.lua URL -- FILE BYTES_OF_A_BODY REQUESTS_PER_SECOND [whole]
-- With "whole", the pieces are whole requests, each with a path and headers of its own.
-- With a rate, requests are due at equal distances, and a connection that is free waits for the next one that is due.
-- wrk's timers tick in milliseconds: the rate is held on average, and within a millisecond requests come at once.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds; long nanos; } relata_time; int clock_gettime(int clock, relata_time *time);")
local MONOTONIC = 1
local clock = ffi.new("relata_time")

local head, data, width, count
local place = 0

local function micros()
  ffi.C.clock_gettime(MONOTONIC, clock)
  return tonumber(clock.seconds) * 1e6 + tonumber(clock.nanos) / 1e3
end

local function paced(rate)
  local due
  return function()
    local now = micros()
    due = (due or now) + 1e6 / rate
    if due <= now then return 0 end
    return math.floor((due - now) / 1e3 + math.random())
  end
end

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  data = file:read("*a")
  file:close()
  width = tonumber(arguments[2])
  count = #data / width
  local rate = tonumber(arguments[3])
  if rate > 0 then delay = paced(rate) end
  if arguments[4] == "whole" then
    head = ""
  else
    local request = wrk.format("POST", nil, nil, string.rep(" ", width))
    head = request:sub(1, #request - width)
  end
end

function request()
  local from = place * width
  place = (place + 1) % count
  return head .. data:sub(from + 1, from + width)
end

-- what is printed at the end is the same for all scripts
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
