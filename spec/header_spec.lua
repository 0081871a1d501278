-- csrc/sat.h by itself: it compiles as C and as C++, and its example is the one that a test runs.
local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a"):gsub("\r\n", "\n")
  file:close()
  return text
end

local function runs(command)
  local result = os.execute(command)
  return result == true or result == 0
end

local FLAGS = " -Wall -Wextra -Wpedantic -Werror -fsyntax-only "

describe("csrc/sat.h", function()
  it("compiles alone as C11", function()
    assert.is_true(runs((os.getenv("CC") or "cc") .. " -std=c11" .. FLAGS .. "-include csrc/sat.h -x c /dev/null"))
  end)

  it("compiles alone as C++11", function()
    local compiler = os.getenv("CXX") or "c++"
    if not runs(compiler .. " --version >/dev/null 2>&1") then return pending("there is no C++ compiler") end
    assert.is_true(runs(compiler .. " -std=c++11" .. FLAGS .. "-include csrc/sat.h -x c++ /dev/null"))
  end)

  it("has the example that csrc/test/test_example.c runs", function()
    local comment = read("csrc/sat.h"):match("/%* Example:[^\n]*\n %*\n(.-) %*/")
    local example = comment:gsub(" %*   ([^\n]*\n)", "%1"):gsub(" %*\n", "\n")
    assert.equal(read("csrc/test/test_example.c"):match("/%* example %*/\n(.-)/%* end of the example %*/"), example)
  end)
end)
