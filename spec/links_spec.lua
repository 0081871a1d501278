-- Every relative link of the Markdown files leads to something in the repository, and to a heading if it names one.
local links = require "spec.links"

describe("the links of", function()
  local total = 0

  for _, path in ipairs(links.files(".", ".md")) do
    it(path .. " lead somewhere", function()
      local count, faults = links.check(path)
      total = total + count
      assert.equal("", table.concat(faults, "\n"))
    end)
  end

  it("all files are some", function() assert.is_true(total > 10) end)
end)

describe("the index of", function()
  for _, folder in ipairs { "docs/cookbook", "docs/guides" } do
    it(folder .. " leads to every page", function()
      local file = assert(io.open(folder .. "/README.md"))
      local index = file:read("*a")
      file:close()
      for _, path in ipairs(links.files(folder, ".md")) do
        local name = path:match("[^/]+$")
        assert(name == "README.md" or index:find("(" .. name .. ")", 1, true), name .. " is not in it")
      end
    end)
  end
end)

describe("a link that leads nowhere", function()
  local function faults_of(text)
    local path = os.tmpname()
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local _, faults = links.check(path)
    os.remove(path)
    return faults
  end

  it("is found, whatever is wrong with it", function()
    assert.same({}, faults_of("# A heading\n[one](#a-heading) `[none](nowhere)` [other](https://example.org/none)"))
    assert.equal(1, #faults_of("[one](nowhere.md)"))
    assert.same({ 0, 1, 1 }, {
      #faults_of("[the releases of the host](../../releases)"), #faults_of("[others](../releases)"),
      #faults_of("[others](" .. ("../"):rep(50) .. "releases)"),
    })
    assert.equal(1, #faults_of("# A heading\n[one](#another)"))
    assert.equal(1, #faults_of("[one](" .. ("../"):rep(50) .. "x)"))
  end)
end)
