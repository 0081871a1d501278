// What every page of the site has: the search, and a button beside each Lua sample that runs it. The playground is the
// page with an editor.
"use strict";

const root = document.body.dataset.root;
const find = (selector, within = document) => within.querySelector(selector);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function load(path) {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: root + path });
    script.onload = resolve;
    script.onerror = () => reject(new Error(path + " is not there"));
    document.head.append(script);
  });
}

// ---------------------------------------------------------------- programs

const PATIENCE = 20; // seconds without an answer, after which a worker is ended
const LINES = 1000; // of the output that are kept

const KEYS = { " ": "space", Enter: "return", Control: "ctrl", Meta: "gui", PageUp: "pageup", PageDown: "pagedown" };

// LÖVE's name of a key.
function keyName({ key, code }) {
  const name = (KEYS[key] || key).toLowerCase().replace(/^arrow/, "");
  if (!["shift", "ctrl", "alt", "gui"].includes(name)) return name;
  return (code.endsWith("Right") ? "r" : "l") + name;
}

// Why a browser cannot run programs, or nothing.
function whyNot() {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, which the playground needs to run programs.";
  if (typeof OffscreenCanvas !== "function") {
    return "This browser cannot draw from a worker (OffscreenCanvas), which the playground needs to run programs.";
  }
}

// A program that runs in a worker, with its canvas and its output inside `place`. place.dataset.state is loading,
// running, playing, done, failed or stopped.
class Program {
  static current;

  constructor(place, showLine) {
    this.place = place;
    this.showLine = showLine;
  }

  async run(text, folder = "/") {
    Program.current?.stop();
    Program.current = this;
    this.showLine(0);
    this.canvas = element("canvas", { width: 800, height: 600, tabindex: 0, hidden: "" });
    this.output = element("pre", { class: "output", hidden: "" });
    this.place.replaceChildren(this.canvas, this.output);
    this.state("loading");
    const reason = whyNot();
    if (reason) return this.fail(reason);
    try {
      if (!globalThis.SAT_RUNTIME) await load("runtime.js");
    } catch (error) {
      return this.fail(error.message);
    }
    if (Program.current === this) this.start(text, folder);
  }

  start(text, folder) {
    const source = URL.createObjectURL(new Blob([SAT_RUNTIME.worker], { type: "text/javascript" }));
    const surface = this.canvas.transferControlToOffscreen();
    this.worker = new Worker(source);
    URL.revokeObjectURL(source);
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.postMessage({ kind: "start", files: SAT_RUNTIME.files, folder, program: text, surface }, [surface]);
    this.state("running");
    this.listen();
  }

  // Ends a worker that is stuck: it is asked each second, and each of its messages is an answer.
  watch() {
    this.unanswered = 0;
    this.timer = setInterval(() => {
      this.unanswered++;
      this.worker.postMessage({ kind: "ping" });
      if (this.unanswered > PATIENCE) this.fail("stopped: the program does not answer any more");
    }, 1000);
  }

  send(kind, { text = "", x = 0, y = 0, z = 0 }) { this.worker?.postMessage({ kind, text, x, y, z }); }

  listen() {
    const { canvas } = this;
    const mouse = (event) => ({
      x: event.offsetX * canvas.width / canvas.clientWidth, y: event.offsetY * canvas.height / canvas.clientHeight,
      z: [1, 3, 2][event.button] || 0,
    });
    const on = (name, handle) => canvas.addEventListener(name, handle);
    on("pointermove", (event) => this.send("mousemove", mouse(event)));
    on("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); this.send("mousedown", mouse(event)); });
    on("pointerup", (event) => this.send("mouseup", mouse(event)));
    on("contextmenu", (event) => event.preventDefault());
    on("wheel", (event) => {
      if (document.activeElement !== canvas) return;
      event.preventDefault();
      this.send("wheel", { x: Math.sign(event.deltaX), y: -Math.sign(event.deltaY) });
    });
    on("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.key === "Tab") return;
      event.preventDefault();
      if (!event.repeat) this.send("keydown", { text: keyName(event) });
      if (event.key.length === 1) this.send("text", { text: event.key });
    });
    on("keyup", (event) => this.send("keyup", { text: keyName(event) }));
  }

  receive(message) {
    this.unanswered = 0;
    const { kind, text } = message;
    if (kind === "ready") this.watch();
    else if (kind === "print") this.print(text);
    else if (kind === "failed") this.fail(text, message.line);
    else if (kind === "done") this.end("done");
    else if (kind === "size") [this.canvas.style.aspectRatio, this.canvas.style.maxWidth] =
      [`${message.width} / ${message.height}`, message.width + "px"];
    else if (kind === "playing") this.play();
    else if (kind === "frame") this.frame(message.drawn);
  }

  play() {
    this.canvas.hidden = false;
    this.canvas.focus({ preventScroll: true });
    this.state("playing");
  }

  frame(drawn) {
    const { dataset } = this.place;
    dataset.frames = Number(dataset.frames) + 1;
    dataset.drawn = drawn;
    if (dataset.frames === "60" && !drawn) this.print("(the program has drawn nothing for 60 frames)");
  }

  print(text) {
    this.output.hidden = false;
    this.output.append(text + "\n");
    while (this.output.childNodes.length > LINES) this.output.firstChild.remove();
    this.output.scrollTop = this.output.scrollHeight;
  }

  fail(reason, line = 0) {
    this.place.append(element("p", { class: "error", role: "alert" }, reason));
    this.showLine(line);
    this.end("failed");
  }

  stop() {
    if (["loading", "running", "playing"].includes(this.place.dataset.state)) this.end("stopped");
  }

  end(state) {
    clearInterval(this.timer);
    this.worker?.terminate();
    this.worker = null;
    if (Program.current === this) Program.current = null;
    this.state(state);
  }

  state(state) {
    const { dataset } = this.place;
    if (state === "loading") [dataset.frames, dataset.drawn] = [0, 0];
    dataset.state = state;
    this.place.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}

// A button that runs what `read` gives, {text, folder}, and stops it again.
function runButton(program, read) {
  const button = element("button", { type: "button", class: "run" }, "Run");
  button.onclick = () => {
    if (program === Program.current) return program.stop();
    const { text, folder } = read();
    program.run(text, folder);
  };
  program.place.addEventListener("state", ({ detail }) => {
    button.textContent = ["loading", "running", "playing"].includes(detail) ? "Stop" : "Run";
  });
  return button;
}

// ---------------------------------------------------------------- links that carry a program

function encode(text) {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
  return btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function decode(code) {
  const bytes = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
}

// ---------------------------------------------------------------- samples

// In the examples of the reference `sat` is the module.
function programOf(sample) {
  const text = find("code", sample).textContent;
  return sample.hasAttribute("data-reference") ? 'local sat = require "sat" ' + text : text;
}

function addButtons(sample) {
  const place = element("div", { class: "stage" });
  const mark = (line) => {
    find(".mark", sample)?.remove();
    if (line) find("pre", sample).append(element("span", { class: "mark", style: `--at: ${line - 1}` }));
  };
  const program = new Program(place, mark);
  const link = element("a", { href: `${root}playground.html#code=${encode(programOf(sample))}` }, "Edit");
  sample.append(element("div", { class: "buttons" }, runButton(program, () => ({ text: programOf(sample) })), link), place);
}

// ---------------------------------------------------------------- the playground

function makeEditor(area, gutter) {
  let marked = 0;
  const count = () => {
    const lines = area.value.split("\n").map((_, i) => element("i", i + 1 === marked ? { class: "marked" } : {}, `${i + 1}\n`));
    gutter.replaceChildren(...lines);
    gutter.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", count);
  area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey) return;
    event.preventDefault();
    area.setRangeText("  ", area.selectionStart, area.selectionEnd, "end");
    count();
  });
  const line = () => parseFloat(getComputedStyle(area).lineHeight);
  return {
    mark(number) {
      marked = number;
      count();
      if (number) area.scrollTop = Math.max(0, (number - 5) * line());
    },
    set(text) {
      area.value = text;
      area.scrollTop = 0;
      this.mark(0);
    },
  };
}

async function openPlayground(playground) {
  const area = find("textarea", playground), menu = find("select", playground), place = find(".stage", playground);
  const editor = makeEditor(area, find(".gutter", playground));
  const program = new Program(place, (line) => editor.mark(line));
  const examples = JSON.parse(find("#examples").textContent);
  let folder = "/";

  // The text of an example is among the files of the runtime.
  const choose = (name) => {
    const { file } = examples.find((example) => example.name === name) || examples[0];
    folder = file.replace(/\/[^/]*$/, "") || "/";
    editor.set(SAT_RUNTIME.files[file]);
  };
  const show = () => {
    const { code, example, folder: from } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    menu.value = code ? "" : example || examples[0].name;
    try {
      if (!code) return choose(menu.value);
      editor.set(decode(code));
      folder = from || "/";
    } catch {
      editor.set("-- the link holds no program: a part of it may be missing\n");
    }
  };
  const share = () => {
    const query = new URLSearchParams({ code: encode(area.value) });
    if (folder !== "/") query.set("folder", folder);
    history.replaceState(null, "", "#" + query);
  };

  const button = runButton(program, () => ({ text: area.value, folder }));
  find(".buttons", playground).prepend(button);
  find(".share", playground).onclick = async (event) => {
    share();
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    event.target.textContent = "The address holds the program";
  };
  area.addEventListener("input", () => { menu.value = ""; });
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { program.stop(); button.click(); }
  });
  menu.onchange = () => {
    program.stop();
    history.replaceState(null, "", "#example=" + menu.value);
    show();
    button.click();
  };
  await load("runtime.js");
  addEventListener("hashchange", show);
  show();
  playground.dataset.ready = "";
  const reason = whyNot();
  if (reason) program.fail(reason);
}

// ---------------------------------------------------------------- the search

function openSearch(input, list) {
  const words = () => input.value.toLowerCase().split(/\s+/).filter(Boolean);
  // Names that begin with the word come first, then names with it, then texts with it.
  const rank = ([name, , text]) => Math.max(...words().map((word) => {
    const lower = name.toLowerCase();
    if (lower.split(/[.: ]/).some((part) => part.startsWith(word))) return lower.length / 1000;
    return lower.includes(word) ? 1 : text.toLowerCase().includes(word) ? 2 : Infinity;
  }));
  const show = () => {
    const hits = words().length ? SAT_SEARCH.map((entry) => [rank(entry), entry]).filter(([order]) => order < Infinity) : [];
    hits.sort((a, b) => a[0] - b[0]);
    list.replaceChildren(...hits.slice(0, 12).map(([, [name, path, text]]) =>
      element("li", {}, element("a", { href: root + path }, element("b", {}, name), " ", text))));
  };
  input.addEventListener("focus", () => { if (!globalThis.SAT_SEARCH) load("search.js").then(show); });
  input.addEventListener("input", () => { if (globalThis.SAT_SEARCH) show(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") find("a", list)?.click();
    if (event.key === "Escape") { input.value = ""; show(); }
  });
}

find("nav details").open = matchMedia("(min-width: 60rem)").matches;
openSearch(find("#search"), find("#found"));
if (document.body.hasAttribute("data-playground")) {
  for (const sample of document.querySelectorAll(".sample")) addButtons(sample);
  const playground = find("#playground");
  if (playground) openPlayground(playground);
}
