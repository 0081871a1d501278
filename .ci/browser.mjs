// A headless Chromium, driven over a pipe by the DevTools protocol.
//
//   const browser = await open();
//   const page = await browser.page();           // a tab, with `errors`: what its console and its scripts complain of
//   await page.visit("file:///…/index.html");
//   await page.evaluate("document.title");       // a promise is awaited
//   await browser.close();
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
  const waiting = new Map(), listeners = new Map();
  let count = 0, rest = "";

  function receive(text) {
    const { id, result, error, sessionId, method, params } = JSON.parse(text);
    if (!id) return listeners.get(sessionId)?.(method, params);
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

  function send(method, params = {}, sessionId) {
    count++;
    input.write(JSON.stringify({ id: count, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => waiting.set(count, { resolve, reject }));
  }

  async function page() {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const errors = [];
    let loaded;
    listeners.set(sessionId, (method, params) => {
      if (method === "Page.loadEventFired") loaded?.();
      if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
      if (method === "Runtime.consoleAPICalled" && params.type === "error") errors.push(params.args.map((arg) => arg.value).join(" "));
      if (method === "Log.entryAdded" && params.entry.level === "error") errors.push(params.entry.text + " " + (params.entry.url || ""));
    });
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
      close: () => send("Target.closeTarget", { targetId }),
    };
  }

  async function close() {
    const gone = new Promise((resolve) => chromium.on("exit", resolve));
    await send("Browser.close").catch(() => {});
    await gone;
    rmSync(home, { recursive: true, force: true });
  }

  return { page, close };
}
