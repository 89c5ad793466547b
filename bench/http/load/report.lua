-- For the scripts of wrk: prints what came of it as one line of JSON, times in microseconds.

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"broken":%d,"refused":%d,"timedOut":%d,"p50":%d,"p99":%d,"p999":%d}\n',
    summary.requests, summary.duration, errors.connect + errors.read + errors.write, errors.status, errors.timeout,
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
