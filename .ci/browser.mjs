// A tab of a headless Chromium, driven over a pipe by the DevTools protocol.
//
//   const page = await open();                   // with `errors`: what its console and its scripts complain of
//   await page.visit("file:///…/index.html");
//   await page.evaluate("document.title");       // a promise is awaited
//   await page.close();
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const found = NAMES.flatMap((name) => process.env.PATH.split(":").map((folder) => join(folder, name))).find(existsSync);

// Headless, without a graphics card and with slow code that starts soon, unless there are other flags for these.
const QUICK = ["--disable-gpu", "--js-flags=--liftoff-only"];

export async function open(others = QUICK) {
  const home = mkdtempSync(join(tmpdir(), "site-"));
  const flags = ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--remote-debugging-pipe",
    "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${home}`, ...others];
  const chromium = spawn(found, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [, , , input, output] = chromium.stdio;
  const waiting = new Map(), errors = [];
  let count = 0, rest = "", loaded, session;

  const EVENTS = {
    "Page.loadEventFired": () => loaded?.(),
    "Runtime.exceptionThrown": ({ exceptionDetails: { exception, text } }) => errors.push(exception?.description || text),
    "Runtime.consoleAPICalled": ({ type, args }) => type === "error" && errors.push(args.map((arg) => arg.value).join(" ")),
    "Log.entryAdded": ({ entry }) => entry.level === "error" && errors.push(entry.text + " " + (entry.url || "")),
  };
  function receive(text) {
    const { id, result, error, method, params } = JSON.parse(text);
    if (!id) return EVENTS[method]?.(params);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }
  output.on("data", (data) => {
    const parts = (rest + data).split("\0");
    rest = parts.pop();
    parts.forEach(receive);
  });

  function call(method, params = {}) {
    count++;
    input.write(JSON.stringify({ id: count, method, params, sessionId: session }) + "\0");
    return new Promise((resolve, reject) => waiting.set(count, { resolve, reject }));
  }

  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  session = (await call("Target.attachToTarget", { targetId, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Log"]) await call(domain + ".enable");
  return {
    call,
    errors,
    // A change of the hash alone loads nothing, so the page is left first.
    async visit(url) {
      for (const address of ["about:blank", url]) {
        const done = new Promise((resolve) => { loaded = resolve; });
        await call("Page.navigate", { url: address });
        await done;
      }
    },
    async evaluate(expression) {
      const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
      const { result, exceptionDetails } = await call("Runtime.evaluate", options);
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      return result.value;
    },
    // Waits until the expression is true; gives whether it has become so within these seconds.
    async until(expression, seconds) {
      const end = Date.now() + seconds * 1000;
      while (!(await this.evaluate(expression))) {
        if (Date.now() > end) return false;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return true;
    },
    async close() {
      const gone = new Promise((resolve) => chromium.on("exit", resolve));
      session = undefined;
      await call("Browser.close").catch(() => {});
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
