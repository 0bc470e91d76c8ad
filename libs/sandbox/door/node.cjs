/* eslint-disable @typescript-eslint/no-require-imports -- Node loads it as it is */
// Loaded by `--require` in a Node that was started before there was a run for it: the last thing before Node runs its main
// script. Once the door has opened, the script that it is to run is put in place of the one that it was started with.
'use strict';
const placeholder = '/app/waiting-for-its-program';
// A worker thread of the run loads this file as well, for Node hands its options down.
if (process.argv.length === 2 && process.argv[1].startsWith(placeholder)) {
  const fs = require('fs');
  const { constructor: Module } = module;
  // The script will be an ES module. What loads those is not in Node's own snapshot, and is a third of such a script's start: an
  // empty module has it loaded now, and the job is done when the queue of microtasks is empty.
  if (process.argv[1].endsWith('.mjs')) {
    let loaded = false;
    import('data:text/javascript,').then(() => (loaded = true));
    process._tickCallback();
    if (!loaded) process.reallyExit(125);
    if (process.version.startsWith('v20.')) {
      // It reads a module that is a file with these, before it loads what has been loaded last for the empty one.
      void require('fs').promises;
      const list = process.moduleLoadList;
      list.push(...list.splice(list.indexOf('NativeModule internal/modules/esm/module_job'), 1));
    }
  }
  try {
    process.dlopen({ exports: {} }, '/runtime/warm/door.so');
  } catch {
    // It is no module: that it was loaded is all.
  }
  const [, ...words] = fs.readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(0, -1);
  const main = `/app/${words[0]}`;
  process._preload_modules.length = 0;
  // It has been changed already; this makes Node forget where it was before.
  process.chdir('/app');
  process.argv.splice(1, 1, main, ...words.slice(1));
  const { runMain } = Module;
  Object.defineProperty(Module, 'runMain', {
    configurable: true,
    get() {
      Object.defineProperty(Module, 'runMain', {
        value: runMain,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      return runMain.bind(Module, main);
    },
  });
}
delete require.cache[__filename];
delete module.constructor._pathCache[`${__filename}\0`];
