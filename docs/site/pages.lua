-- Makes the site: lua docs/site/pages.lua FOLDER [SAT.JS]. `make docs` and `make site` run it. sat.js is Lua and sat in
-- WebAssembly; with it the samples can be run, and there is a playground.
--
-- The site has the folders of the repository: a page for each Markdown file, and beside the pages every file that a
-- page links to. cmark-gfm renders the Markdown.

local here = "docs/site/"
package.path = here .. "?.lua;docs/?.lua;" .. package.path

local reference = require "reference"
local types = require "types"

local site, sat_js = arg[1], arg[2]

-- ---------------------------------------------------------------- files

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function exists(path)
  local file = io.open(path)
  return file and file:close()
end

local function is_folder(path) return exists(path .. "/.") end

local function write(path, text)
  assert(os.execute(("mkdir -p '%s'"):format((site .. "/" .. path):match("^(.*)/"))))
  local file = assert(io.open(site .. "/" .. path, "wb"))
  assert(file:write(text))
  file:close()
end

local function find(arguments)
  local list, pipe = {}, assert(io.popen("{ find " .. arguments .. "; } | LC_ALL=C sort"))
  for path in pipe:lines() do list[#list + 1] = path:gsub("^%./", "") end
  pipe:close()
  return list
end

-- "docs/guides/" and "../figures/a.svg" give "docs/figures/a.svg".
local function resolve(folder, target)
  local parts = {}
  for part in (folder .. target):gmatch("[^/]+") do
    if part == ".." then table.remove(parts) elseif part ~= "." then parts[#parts + 1] = part end
  end
  return table.concat(parts, "/")
end

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function escape(text) return (text:gsub('[&<>"]', ESCAPES)) end
local function unescape(text)
  return (text:gsub("&quot;", '"'):gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&amp;", "&"))
end

local JSON = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["<"] = "\\u003c" }
local function json(value)
  if type(value) == "string" then
    return '"' .. value:gsub('[%c"\\<]', function(char) return JSON[char] or ("\\u%04x"):format(char:byte()) end) .. '"'
  end
  local parts = {}
  if value[1] then
    for i, each in ipairs(value) do parts[i] = json(each) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, each in pairs(value) do parts[#parts + 1] = json(key) .. ":" .. json(each) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- ---------------------------------------------------------------- Lua with colours

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
  while]]):gmatch("%l+") do KEYWORDS[word] = true end

-- What a text of Lua may begin with, and the class of it; the text is escaped for HTML.
local TOKENS = {
  { "^%-%-&gt;[^\n]*", "printed" }, { "^%-%-[^\n]*", "comment" }, { "^&quot;.-&quot;", "string" },
  { "^'[^'\n]*'", "string" }, { "^%[%[.-%]%]", "string" }, { "^&%a+;" }, { "^[%a_][%w_]*" }, { "^%d[%w.]*", "number" },
  { "^%s+" }, { "^." },
}

local function next_token(text, from)
  for _, token in ipairs(TOKENS) do
    local first, last = text:find(token[1], from)
    if first then return text:sub(first, last), token[2] end
  end
end

local function highlight(text)
  local out, from = {}, 1
  while from <= #text do
    local word, class = next_token(text, from)
    class = class or KEYWORDS[word] and "keyword"
    out[#out + 1] = class and ('<span class="%s">%s</span>'):format(class, word) or word
    from = from + #word
  end
  return table.concat(out)
end

-- ---------------------------------------------------------------- from Markdown to a page

local linked = {} -- files of the repository that pages link to

local function page_of(path) return (path:gsub("README%.md$", "index.md"):gsub("%.md$", ".html")) end

-- Where a link of the file at `path` leads in the site, or nil where that is no page: a folder, or the releases.
local function link(path, target)
  if target:match("^%a+:") or target:match("^#") then return target end
  if target == "../../releases" then return nil end -- of the host of the repository, which a site does not know
  local file, anchor = target:match("^([^#]*)(.*)$")
  local folder = path:match("^.*/") or ""
  local place = resolve(folder, file)
  if file:match("%.md$") then return file:gsub("README%.md$", "index.md"):gsub("%.md$", ".html") .. anchor end
  if file:match("%.html$") then return target end
  if exists(place .. "/README.md") then return file:gsub("/?$", "/index.html") .. anchor end
  if is_folder(place) then return nil end
  linked[place] = true
  return target
end

local function anchor_of(html)
  local bare = unescape(html:gsub("<[^>]*>", ""))
  return (bare:lower():gsub("[^%w%s%-_\128-\255]", ""):gsub("%s", "-"))
end

-- Whether a sample, escaped for HTML, needs what the playground has not.
local function needs_more(code)
  if code:find("love.filesystem", 1, true) or code:find("love.physics", 1, true) then return true end
  for name in code:gmatch("require *%(?&quot;([%w_.]+)") do
    if not name:match("^sat%f[^%w_]") then return true end
  end
  return false
end

local function render(path, markdown)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(markdown)
  file:close()
  local pipe = assert(io.popen("cmark-gfm --unsafe --full-info-string -e table " .. name))
  local html = pipe:read("a")
  assert(pipe:close(), "cmark-gfm failed")
  os.remove(name)
  local is_reference = path:match("^reference/") and " data-reference" or ""
  html = html:gsub("<(h[1-3])>(.-)</h", function(tag, words)
    return ('<%s id="%s">%s</h'):format(tag, anchor_of(words), words)
  end)
  html = html:gsub('<pre><code class="language%-lua">(.-)</code></pre>', function(code)
    if needs_more(code) then return ("<pre><code>%s</code></pre>"):format(highlight(code)) end
    return ('<div class="sample"%s><pre><code>%s</code></pre></div>'):format(is_reference, highlight(code))
  end)
  html = html:gsub('<pre><code class="language%-lua" data%-meta="[^"]*">(.-)</code></pre>', function(code)
    return ("<pre><code>%s</code></pre>"):format(highlight(code)) -- a part of a file, or for another library
  end)
  html = html:gsub('<a href="([^"]*)">(.-)</a>', function(target, words)
    local place = link(path, target)
    return place and ('<a href="%s">%s</a>'):format(place, words) or words
  end)
  html = html:gsub('(<img src=")([^"]*)', function(tag, target) return tag .. link(path, target) end)
  -- A number stays beside its unit.
  for _, unit in ipairs { "×", "s", "ms", "µs", "ns" } do
    html = html:gsub("(%d) (" .. unit .. "</td>)", "%1&nbsp;%2")
  end
  return (html:gsub("<table>.-</table>", '<div class="wide">%0</div>'))
end

local function title_of(markdown) return (markdown:match("^#+ ([^\n]+)"):gsub("[`*]", "")) end

-- ---------------------------------------------------------------- the frame of every page

local sections = {} -- the navigation: { title, { path, title }... }
local search = {}

local function section(title, pages)
  if pages[1] then sections[#sections + 1] = { title = title, pages = pages } end
end

local function navigation(root, current)
  local out = {}
  for _, each in ipairs(sections) do
    out[#out + 1] = ("<h2>%s</h2><ul>"):format(escape(each.title))
    for _, page in ipairs(each.pages) do
      out[#out + 1] = ('<li><a href="%s%s"%s>%s</a></li>'):format(root, page.path,
        page.path == current and ' aria-current="page"' or "", escape(page.title))
    end
    out[#out + 1] = "</ul>"
  end
  return table.concat(out, "\n")
end

local FRAME = read(here .. "frame.html")

local function fill(template, values)
  return (template:gsub("{{(%l+)}}", function(name) return values[name] or error("no value for " .. name) end))
end

local function write_page(page)
  local root = ("../"):rep(select(2, page.path:gsub("/", "")))
  write(page.path, fill(FRAME, {
    title = escape(page.path == "index.html" and page.title or page.title .. " – sat"),
    root = root,
    playground = sat_js and "data-playground" or "",
    navigation = navigation(root, page.path),
    content = page.html or render(page.source or page.path, page.text),
  }))
end

-- Headings are found by the search, too.
local function add_headings(page)
  local prose = "\n" .. page.text:gsub("\n```.-\n```", "\n")
  for heading in prose:gmatch("\n##? ([^\n]+)") do
    local words = heading:gsub("[`*]", "")
    local place = words == page.title and "" or "#" .. anchor_of(words)
    search[#search + 1] = { words, page.path .. place, words == page.title and "" or page.title }
  end
end

-- ---------------------------------------------------------------- what there is

local function markdown_page(path)
  local text = read(path)
  return { source = path, path = page_of(path), title = title_of(text), text = text }
end

local function markdown_pages(paths)
  local pages = {}
  for _, path in ipairs(paths) do pages[#pages + 1] = markdown_page(path) end
  return pages
end

-- The order of the guides; one that is not named here comes last.
local GUIDES = {
  "README", "native-modules", "tour", "shape-quadtree-world", "platformer", "moving", "configuration-space",
  "filters", "mtv", "several-pieces",
  "separating-axis", "closest-points", "quadtree", "tiled", "performance", "speed", "promises", "comparison", "bump",
  "hc", "editor", "security",
}

local function sorted_guides()
  local place, paths = {}, find("docs/guides -name '*.md'")
  for i, path in ipairs(paths) do place[path] = #GUIDES + i end
  for i, name in ipairs(GUIDES) do place["docs/guides/" .. name .. ".md"] = i end
  table.sort(paths, function(a, b) return place[a] < place[b] end)
  return markdown_pages(paths)
end

-- In the order of the cookbook's own page.
local function cookbook()
  local known, paths = {}, {}
  local function add(path)
    if not known[path] then known[path], paths[#paths + 1] = true, path end
  end
  add "docs/cookbook/README.md"
  for name in read("docs/cookbook/README.md"):gmatch("%]%(([%w-]+%.md)%)") do add("docs/cookbook/" .. name) end
  for _, path in ipairs(find("docs/cookbook -name '*.md'")) do add(path) end
  return markdown_pages(paths)
end

-- The pages of the module, and those of its parts that are required by their own names.
local function pages_of_types()
  local pages = types.read("lua/sat/library/sat.lua").pages
  for _, path in ipairs(find("lua/sat/library -name '*.lua' ! -name sat.lua")) do
    local more = types.read(path).pages
    table.move(more, 1, #more, #pages + 1, pages)
  end
  return pages
end

-- The Markdown files of these folders and of the root that are in no section yet.
local function other_pages(known)
  local paths = {}
  for _, path in ipairs(find(". -maxdepth 1 -name '*.md'; find examples bench docs -name '*.md'")) do
    if not known[path] then paths[#paths + 1] = path end
  end
  return markdown_pages(paths)
end

-- Every page, and what leads to it.
local function collect()
  local home, topics, found = markdown_page("README.md"), reference.pages(pages_of_types())
  home.title = "sat: 2D collision detection for LÖVE and Lua"
  local start = { { path = home.path, title = "What sat is" } }
  if sat_js then start[2] = { path = "playground.html", title = "Playground" } end
  section("sat", start)
  section("Guides", sorted_guides())
  section("Cookbook", cookbook())
  section("Reference", topics)
  local pages, known = { home }, { [home.source] = true }
  for i = 2, #sections do table.move(sections[i].pages, 1, #sections[i].pages, #pages + 1, pages) end
  for _, page in ipairs(pages) do known[page.source or ""] = true end
  local others = other_pages(known)
  section("More", others)
  search = found
  return table.move(others, 1, #others, #pages + 1, pages)
end

-- ---------------------------------------------------------------- the playground

-- Examples that have a folder, and those of one file. hot-reload is about an editor beside the game.
local function examples()
  local list = { { name = "ball", file = "/examples/ball.lua" } }
  for _, path in ipairs(find("examples -name main.lua")) do
    local name = path:match("examples/(.-)/")
    if name ~= "hot-reload" then list[#list + 1] = { name = name, file = "/" .. path } end
  end
  list[#list + 1] = { name = "demo", file = "/examples/demo.lua" }
  return list
end

-- The files that a program may load, by their paths in the worker.
local function lua_files()
  local files = { ["/site/love.lua"] = read(here .. "love.lua"), ["/build/.keep"] = "" }
  for _, path in ipairs(find("examples -name '*.lua'")) do files["/" .. path] = read(path) end
  files["/examples/ball.lua"] = read("README.md"):match("```lua\n(local sat[^`]-function love%..-)```")
  return files
end

local function write_playground()
  local list, options = examples(), {}
  for i, example in ipairs(list) do options[i] = ("<option>%s</option>"):format(example.name) end
  local html = fill(read(here .. "playground.html"), { options = table.concat(options), examples = json(list) })
  write_page { path = "playground.html", title = "Playground", html = html }
  write("runtime.js", ("globalThis.SAT_RUNTIME = %s;\n"):format(json {
    worker = read(sat_js) .. read(here .. "worker.js"), files = lua_files() }))
  search[#search + 1] = { "Playground", "playground.html", "" }
end

-- ---------------------------------------------------------------- everything

local function main()
  assert(site, "usage: lua docs/site/pages.lua FOLDER [SAT.JS]")
  assert(os.execute(("rm -rf '%s'"):format(site)))
  local pages = collect()
  for _, page in ipairs(pages) do
    write_page(page)
    add_headings(page)
  end
  if sat_js then write_playground() end
  for path in pairs(linked) do write(path, read(path)) end
  for _, name in ipairs { "style.css", "site.js" } do write(name, read(here .. name)) end
  write("search.js", ("globalThis.SAT_SEARCH = %s;\n"):format(json(search)))
  print(site .. "/index.html")
end

main()
