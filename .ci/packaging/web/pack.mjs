// node pack.mjs LOW.wasm HIGH.wasm OUTPUT lua.h: writes sat.js, of a module that was linked once for the
// address 2^24 and once for 2^25. What differs are addresses, which page.js moves.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [low, high] = process.argv.slice(2, 4).map((path) => readFileSync(path));
const GLOBALS = 6, DATA = 11;
if (low.length !== high.length) throw new Error("the modules differ in more than addresses");

function leb(bytes, at) {
  let value = 0, shift = 0, byte;
  do {
    byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
  } while (byte & 128);
  return { value, at };
}

// Where the words of the data begin: all before are numbers of seven bits a byte, and so are the segments' places.
const sections = [];
for (let at = 8; at < low.length;) {
  const { value, at: start } = leb(low, at + 1);
  sections.push({ id: low[at], start, end: start + value });
  at = start + value;
}
const data = sections.find(({ id }) => id === DATA);

const numbers = [], words = [];
for (let i = 0; i < low.length; i++) {
  if (low[i] === high[i]) continue;
  const word = low.readUInt32LE(i - 3), number = leb(low, i - 3);
  const isAddress = (value, bytes, other) => other - value === 2 ** 24 && value >= 2 ** 24 && value < 2 ** 25;
  if (i >= data.start && isAddress(word, 4, high.readUInt32LE(i - 3))) words.push(i - 3);
  else if (number.at === i + 1 && isAddress(number.value, 4, leb(high, i - 3).value)) numbers.push(i - 3);
  else throw new Error(`no address at ${i}`);
}

// The memory: at least one page, since that of love.js has its own size.
const name = Buffer.from("\x03env\x06memory\x02", "latin1"), flag = low.indexOf(name) + name.length;
const least = leb(low, flag + 1);
for (let i = flag + 1; i < least.at; i++) low[i] = (i === flag + 1 ? 1 : 0) | (i < least.at - 1 ? 128 : 0);

// The stack pointer, the first of the globals, begins at the end: behind its type, that it changes, and i32.const.
const size = leb(low, sections.find(({ id }) => id === GLOBALS).start + 4).value - 2 ** 24;
const steps = [...numbers, ...words].map((at, i, all) => (i === 0 ? at : at - all[i - 1]));
const here = dirname(fileURLToPath(import.meta.url)), read = (path) => readFileSync(join(here, path), "utf8");
const values = {
  VERSION: read("../../../csrc/sat.h").match(/SAT_VERSION "([^"]+)"/)[1],
  LICENCES: (read("../../../LICENSE") + "\nThe functions of Lua: " + readFileSync(process.argv[5], "utf8").match(/Copyright.*PUC-Rio\./)[0] +
    " The same licence.").replace(/\n/g, "\n * ").replace(/ +$/gm, ""),
  WASM: low.toString("base64"), SIZE: size, STEPS: steps.join(","), FIRST_WORD: numbers.length, LIMITS: flag,
};
writeFileSync(process.argv[4], read("page.js").replace(/@([A-Z_]+)@/g, (_, key) => values[key]));
