-- For wrk: hands in refresh tokens, each for the next one, which the answer brings.
--   wrk ... -s refresh.lua URL -- FILE FORM
-- FILE has one token a line, a few more than there are connections; FORM is the form up to the token.

local tokens, first, last = {}, 1, 0
local form

function init(arguments)
  for line in io.lines(arguments[1]) do
    last = last + 1
    tokens[last] = line
  end
  form = arguments[2]
end

function request()
  local token = assert(tokens[first], "there are too few tokens")
  tokens[first] = nil
  first = first + 1
  return wrk.format("POST", nil, nil, form .. token)
end

function response(status, headers, body)
  local token = body:match('"refresh_token":"([^"]+)"')
  if token == nil then return end
  last = last + 1
  tokens[last] = token
end

-- what is printed at the end is the same for all scripts
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
