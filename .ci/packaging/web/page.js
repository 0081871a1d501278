// sat.js, sat @VERSION@ for games made with love.js 11.4.1. A page runs it before love.js: <script src="sat.js"></script>
//
// love.js cannot load a native module, and tells nobody where its functions are. But a state of Lua is data in memory, so
// here sat is a WebAssembly module of its own, with a copy of the functions of Lua 5.1, which works on the same state in the
// same memory. `require "sat"` finds its native part in package.preload.
/* @LICENCES@ */
(function () {
  const WASM = "@WASM@"; // base64
  const BASE = 2 ** 24; // the address for which the module was linked
  const SIZE = @SIZE@; // of its data and, at the end, its stack
  // What has to be moved: the offset of each address from the one before. First come those in code, as four times seven
  // bits, and from this one on those in data, as words.
  const STEPS = [@STEPS@], FIRST_WORD = @FIRST_WORD@;
  const LIMITS = @LIMITS@; // the offset of the flags of the memory

  function moduleAt(address, isShared) {
    const bytes = Uint8Array.from(atob(WASM), (letter) => letter.charCodeAt(0));
    if (isShared) bytes[LIMITS] = 3;
    let at = 0;
    STEPS.forEach((step, i) => {
      at += step;
      const size = i < FIRST_WORD ? 128 : 256;
      let value = address - BASE;
      for (let k = 0; k < 4; k++) value += (bytes[at + k] % size) * size ** k;
      for (let k = 0; k < 4; k++, value = Math.floor(value / size)) bytes[at + k] = (value % size) | (bytes[at + k] & size);
    });
    return bytes;
  }

  // ---------------------------------------------------------------- errors

  // An error of Lua is a longjmp, of which Emscripten makes an exception. It may come from one of the modules and end in the
  // other one, so both note here what it is about, and learn of it where they catch it.
  const thrown = { environment: 0, value: 0 };

  function throwError(environment, value) {
    thrown.environment = environment;
    thrown.value = value || 1;
    throw "longjmp";
  }

  // A function that calls another one for code that catches errors.
  function invoker(table, exports, before) {
    return function (index, ...rest) {
      const { stackSave, stackRestore, setThrew } = exports(), stack = stackSave();
      try {
        before?.(rest[0]);
        return table.get(index)(...rest);
      } catch (error) {
        stackRestore(stack);
        if (error === "longjmp") setThrew(thrown.environment, thrown.value);
        else if (typeof error === "number") setThrew(1, 0);
        else throw error;
      }
    };
  }

  // ---------------------------------------------------------------- states of Lua

  // Where Lua 5.1 keeps what, with addresses of four bytes: of each object the kind; of a state what all its threads share;
  // in there the list of objects and the main thread; of a table the node of its fields.
  const KIND = 4, SHARED = 16, OBJECTS = 28, MAIN = 112, NODE = 16, TABLE = 5, THREAD = 8;

  function reader(memory) {
    let words = new Uint32Array(memory.buffer);
    function word(address) {
      if (words.buffer !== memory.buffer) words = new Uint32Array(memory.buffer); // the memory has grown
      return words[address >>> 2] || 0;
    }
    const isThread = (address) => address > 0 && address % 4 === 0 && word(address + KIND) % 256 === THREAD;

    return {
      // What the threads of this one's state share, or 0 if there is no thread at the address.
      sharedOf(address) {
        const shared = isThread(address) ? word(address + SHARED) : 0, main = word(shared + MAIN);
        return shared % 4 === 0 && isThread(main) && word(main + SHARED) === shared ? shared : 0;
      },
      // The node of all tables without fields, which is the only one that two tables have, or 0.
      emptyNode(shared) {
        const nodes = new Set();
        for (let object = word(shared + OBJECTS); object !== 0; object = word(object)) {
          if (word(object + KIND) % 256 !== TABLE) continue;
          if (nodes.has(word(object + NODE))) return word(object + NODE);
          nodes.add(word(object + NODE));
        }
        return 0;
      },
    };
  }

  // ---------------------------------------------------------------- the start

  // Puts sat into the memory of love.js. Returns a function that adds it to the state of a thread, unless it is there.
  async function start(love, { memory, table }) {
    const address = (love.malloc(SIZE + 16) + 15) & -16;
    new Uint8Array(memory.buffer).fill(0, address, address + SIZE);
    const { sharedOf, emptyNode } = reader(memory);
    let sat, high = 0, known = 0;
    // Below the stack of love.js for the time of the call, by which sat knows its own calls within it.
    function call(index, ...rest) {
      const stack = love.stackSave();
      love.stackRestore(stack - 16);
      const count = table.get(index)(...rest);
      love.stackRestore(stack);
      return count;
    }
    const env = {
      memory,
      host_realloc: love.realloc,
      host_free: love.free,
      host_stack: love.stackSave,
      host_call: call,
      host_hook: call,
      host_throw: throwError,
      host_closed() { known = 0; },
      invoke_vii(...all) { return caught(...all); },
      getTempRet0: () => high,
      setTempRet0(value) { high = value; },
      emscripten_memcpy_big(to, from, count) { new Uint8Array(memory.buffer).copyWithin(to, from, from + count); },
      exit() { throw new Error("sat has ended"); },
    };
    const bytes = moduleAt(address, !(memory.buffer instanceof ArrayBuffer));
    sat = (await WebAssembly.instantiate(bytes, { env })).instance.exports;
    const caught = invoker(sat.__indirect_function_table, () => sat);
    sat.stackRestore(address + SIZE);
    table.set(0, sat.sat_enter); // no function of love.js has the number 0
    return function (thread) {
      const shared = sharedOf(thread);
      if (shared === 0 || shared === known) return;
      const node = emptyNode(shared);
      if (node !== 0 && sat.sat_install(thread, node)) known = shared;
    };
  }

  function prepare(module) {
    module.instantiateWasm = function (info, receive) {
      const { env } = info;
      let exports, add;
      for (const name of Object.keys(env)) {
        // This one is how Lua makes a protected call, with the thread.
        const before = name === "invoke_vii" ? (thread) => add(thread) : undefined;
        if (name.startsWith("invoke_")) env[name] = invoker(env.table, () => exports, before);
      }
      env.emscripten_longjmp = throwError;
      const url = module.locateFile ? module.locateFile("love.wasm", "") : "love.wasm";
      fetch(url, { credentials: "same-origin" })
        .then((response) => response.arrayBuffer())
        .then((bytes) => WebAssembly.instantiate(bytes, info))
        .then(async (love) => {
          exports = love.instance.exports;
          add = await start(exports, env);
          receive(love.instance, love.module);
        })
        .catch((error) => console.error("sat.js: " + error));
      return {};
    };
  }

  // love.js sets the global Love, a function that starts the game.
  let started;
  Object.defineProperty(window, "Love", {
    configurable: true,
    get: () => started,
    set(original) {
      started = function (module) {
        prepare(module);
        return original(module);
      };
    },
  });
})();
