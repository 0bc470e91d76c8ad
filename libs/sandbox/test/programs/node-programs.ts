import { readFileSync } from 'node:fs';
import type { Program } from './program.js';

const state = readFileSync(new URL('state.cjs', import.meta.url), 'utf8');
const simple = (sources: Record<string, string>, file: string): Program[] =>
  Object.entries(sources).map(([name, source]) => ({
    name: `${file}: ${name}`,
    source: `${source}\n`,
    file,
  }));

const STACK = 'console.log(new Error("x").stack); function f() { console.trace("t"); } f();';
const WORKER =
  "new Worker(\"const p = require('process'); console.log(p.argv, p.execArgv, Object.keys(require.cache), require('worker_threads').workerData, p.env.A)\", { eval: true, workerData: 7 })";

/** What scripts can be told apart by: how they end, what they print, what they find. */
export const NODE_PROGRAMS: readonly Program[] = [
  {
    name: 'everything that it finds',
    source: state,
    args: [
      'one',
      'two words',
      '',
      'ümlaut',
      '--flag=1',
      '\u{1F600}',
      'a long argument, longer than sixteen bytes',
    ],
    env: { A: 'a', EMPTY: '', LINES: 'one\ntwo', 'odd.name': 'x', UMLAUT: 'ä', LONG: 'x'.repeat(100_000) },
  },
  ...simple(
    {
      nothing: '',
      'output without a newline': 'process.stdout.write("x")',
      arguments:
        'console.log(process.argv, process.argv0, process.execArgv, process.title, process.execPath)',
      strict: '"use strict"; console.log(this === module.exports, (function () { return this })())',
      'the stack': STACK,
      'a deep stack': 'Error.stackTraceLimit = 100; console.log(new Error("x").stack)',
      'call sites':
        'Error.prepareStackTrace = (e, s) => s.map((c) => [c.getFunctionName(), c.getFileName(), c.getTypeName(), c.getMethodName()]); console.log(new Error("x").stack)',
      'a worker': `const { Worker } = require("worker_threads"); ${WORKER}`,
      'a worker of a file':
        'const { Worker, isMainThread } = require("worker_threads"); if (isMainThread) new Worker(__filename); else console.log(process.argv, require.main === module, Object.keys(require.cache), new Error("x").stack)',
      'a worker with its own options':
        'const { Worker } = require("worker_threads"); new Worker("console.log(process.execArgv, process.argv)", { eval: true, execArgv: ["--no-warnings"], argv: ["x"] })',
      'a worker without an environment':
        'const { Worker } = require("worker_threads"); new Worker("console.log(process.env)", { eval: true, env: {} })',
      'a fork of itself':
        'if (process.send) { process.send([process.argv, process.execArgv, process.env.NODE_OPTIONS ?? null]); process.disconnect(); } else require("child_process").fork(__filename, ["x"]).on("message", (m) => console.log(m))',
      'a child of the same kind':
        'console.log(require("child_process").execFileSync(process.execPath, ["-p", "[process.argv, process.execArgv, process.env]"]).toString())',
      'a shell': 'console.log(require("child_process").execSync("echo $PWD; env | sort").toString())',
      'a cluster':
        'const c = require("cluster"); if (c.isPrimary) { const w = c.fork(); w.on("exit", (code) => console.log(code)); } else { console.log(process.argv, process.execArgv); process.exit(3); }',
      'the permission to require':
        'for (const n of ["internal/util", "internal/test/binding"]) try { require(n) } catch (e) { console.log(e.code) }',
      clocks:
        'const s = performance.now(); setTimeout(() => console.log(performance.now() - s > 45, performance.now() < 3000, process.uptime() < 3), 50)',
      'timers in order':
        'setTimeout(() => console.log("t80"), 80); setTimeout(() => console.log("t160"), 160); process.nextTick(() => console.log("n")); Promise.resolve().then(() => console.log("p")); console.log("s")',
      'performance entries':
        'performance.mark("a"); console.log(performance.getEntries().map((e) => [e.name, e.startTime < 3000]), performance.eventLoopUtilization().idle)',
      'console.time': 'console.time("a"); console.log(typeof performance.toJSON().timeOrigin)',
      'exit 3': 'process.exit(3)',
      exitCode: 'process.exitCode = 4',
      'exit in a handler': 'process.on("exit", (c) => { console.log("exit", c); process.exitCode = 9 })',
      beforeExit:
        'process.once("beforeExit", () => { console.log("before"); setTimeout(() => console.log("more"), 1) })',
      'an uncaught exception': 'function f() { throw new TypeError("no") } f()',
      'an uncaught value': 'throw 5',
      'an uncaught object': 'throw { a: 1 }',
      'a cause': 'throw new Error("a", { cause: new Error("b") })',
      'an unhandled rejection': 'Promise.reject(new Error("no"))',
      'an unhandled value': 'Promise.reject(5)',
      'a handled exception':
        'process.on("uncaughtException", (e, o) => console.log(e.message, o)); throw new Error("x")',
      'an exception in a timer': 'setTimeout(() => { throw new Error("late") }, 5)',
      'an exception in a promise': 'Promise.resolve().then(() => { null.x })',
      'a warning': 'process.emitWarning("careful", { code: "W1" })',
      'a deprecation': 'new Buffer(5)',
      'a syntax error': 'let a = ;',
      'a missing module': 'require("./nothing")',
      'a missing package': 'require("nothing-like-it")',
      'process.abort': 'process.abort()',
      'kill itself': 'process.kill(process.pid, "SIGTERM")',
      SIGINT: 'process.kill(process.pid, "SIGINT"); setTimeout(() => {}, 1000)',
      SIGKILL: 'process.kill(process.pid, "SIGKILL")',
      SIGPIPE: 'process.kill(process.pid, "SIGPIPE"); setTimeout(() => console.log("ignored"), 5)',
      'a handler':
        'process.once("SIGTERM", () => console.log("asked")); process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 30)',
      'standard input': 'process.stdin.on("data", console.log).on("end", () => console.log("end"))',
      'standard input at once': 'console.log(require("fs").readFileSync(0).length)',
      'large output': 'console.log("x".repeat(300000))',
      'both outputs': 'for (let i = 0; i < 50; i++) { console.log(i); console.error(-i) }',
      descriptors: 'console.log(require("fs").openSync("/dev/null", "r"))',
      'the working directory':
        'console.log(process.cwd()); process.chdir("/tmp"); console.log(process.cwd())',
      'changes of the environment':
        'process.env.B = 2; delete process.env.HOME; console.log(process.env, require("os").homedir())',
      'the time zone':
        'console.log(new Date(0).toString()); process.env.TZ = "Asia/Tokyo"; console.log(new Date(0).toString())',
      intl: 'console.log(Intl.DateTimeFormat().resolvedOptions(), (1234.5).toLocaleString())',
      os: 'const os = require("os"); console.log(os.hostname(), os.tmpdir(), os.userInfo(), os.cpus().length)',
      'dynamic import':
        'import("fs").then((m) => console.log(Object.keys(m).length)); import("./x.mjs").catch((e) => console.log(e.code))',
      createRequire:
        'console.log(require("module").createRequire(__filename).resolve("./main.js"), require("module").builtinModules.length)',
      crypto:
        'console.log(require("crypto").createHash("sha256").update("x").digest("hex"), require("crypto").getFips())',
      tls: 'console.log(require("tls").rootCertificates.length > 10)',
      vm: 'console.log(require("vm").runInNewContext("typeof process"), new (require("vm").Script)("1+1").runInThisContext())',
      'async hooks':
        'const a = require("async_hooks"); console.log(a.executionAsyncId(), a.triggerAsyncId(), a.executionAsyncResource())',
      'async context':
        'const s = new (require("async_hooks").AsyncLocalStorage)(); s.run(1, () => setTimeout(() => console.log(s.getStore()), 1)); console.log(s.getStore())',
      'loaded modules': 'console.log(process.moduleLoadList.join("\\n"))',
      garbage: 'const r = new FinalizationRegistry(() => {}); r.register({}, 1); console.log(typeof gc)',
      'the heap limit':
        'console.log(require("v8").getHeapStatistics().heap_size_limit, process.resourceUsage().maxRSS > 0)',
      inspector: 'console.log(require("inspector").url())',
      'a title':
        'process.title = "other"; console.log(process.title, require("fs").readFileSync("/proc/self/comm", "utf8"))',
      'node:test': 'require("node:test")("a", () => {})',
      'readable streams':
        'require("fs").createReadStream(__filename).on("data", (d) => console.log(d.length))',
      'fetch without a network':
        'fetch("http://127.0.0.1:1").catch((e) => console.log(e.message, e.cause.code))',
      'monkey patches':
        'const m = require("module"); console.log(m.runMain.name, m.runMain.toString().length > 50, Object.keys(m).join(), Object.isFrozen(m))',
    },
    'main.js',
  ),
  ...simple(
    {
      nothing: '',
      'import.meta':
        'console.log(import.meta.url, import.meta.filename, import.meta.dirname, import.meta.resolve("./x.js"), Object.keys(import.meta))',
      'the stack': STACK,
      arguments: 'console.log(process.argv, process.execArgv, typeof require, this)',
      'top-level await':
        'import { setTimeout as s } from "node:timers/promises"; await s(5); console.log("after")',
      'an await that never ends': 'await new Promise(() => {})',
      'an uncaught exception': 'function f() { throw new TypeError("no") }\nf()',
      'an unhandled rejection': 'Promise.reject(new Error("no"))',
      'a rejected import': 'await import("./nothing.mjs")',
      'a missing name': 'import { nothing } from "node:fs"',
      'a missing package': 'import "nothing-like-it"',
      'a syntax error': 'let a = ;',
      'a worker': `import { Worker } from "node:worker_threads"; ${WORKER}`,
      'a worker of itself':
        'import { Worker, isMainThread } from "node:worker_threads"; if (isMainThread) new Worker(new URL(import.meta.url)); else console.log(process.argv, import.meta.url)',
      'hooks of modules':
        'import { register } from "node:module"; register("data:text/javascript,export const load = (u, c, n) => n(u, c)"); console.log((await import("./main.mjs")) !== null)',
      exit: 'process.exit(6)',
      'loaded modules': 'console.log(process.moduleLoadList.join("\\n"))',
      'numbers of asynchronous work':
        'import { AsyncResource, createHook, executionAsyncId, triggerAsyncId } from "node:async_hooks"; const seen = []; createHook({ init: (id, type) => seen.push([id, type]) }).enable(); setTimeout(() => {}, 1); await null; console.log(executionAsyncId(), triggerAsyncId(), new AsyncResource("x").asyncId(), seen)',
      'an empty module of text':
        'import * as one from "data:text/javascript,"; console.log(Object.keys(one), one === (await import("data:text/javascript,")), process._getActiveHandles().length)',
      'an import that sees what was changed before':
        'import fs, { existsSync } from "node:fs"; import { syncBuiltinESMExports } from "node:module"; fs.existsSync = 1; console.log(typeof existsSync); syncBuiltinESMExports(); console.log(typeof existsSync, typeof (await import("node:fs")).existsSync)',
      'performance entries of modules':
        'console.log(performance.getEntries().length, performance.nodeTiming.loopStart < 3000)',
      'importing itself':
        'const own = await import(import.meta.url); console.log(Object.keys(own)); export const x = 1',
    },
    'main.mjs',
  ),
  {
    name: 'everything that a module can find out',
    file: 'main.mjs',
    source:
      'import { createRequire } from "node:module"; await new Promise((done) => setTimeout(done, 50)); createRequire(import.meta.url)("./state.cjs")',
    files: { 'state.cjs': state },
  },
  {
    name: 'a package of modules',
    file: 'main.js',
    source: 'console.log(import.meta.url, process.argv)',
    files: { 'package.json': '{"type":"module"}' },
  },
  {
    name: 'a package of modules without their syntax',
    file: 'main.js',
    source: 'console.log(typeof require, typeof module)',
    files: { 'package.json': '{"type":"module"}' },
  },
  {
    name: 'a package of its own name',
    file: 'main.js',
    source: 'console.log(require("mine/x"))',
    files: { 'package.json': '{"name":"mine","exports":{"./x":"./y.js"}}', 'y.js': 'module.exports = 5' },
  },
  {
    name: 'imports of a package',
    file: 'main.js',
    source: 'console.log(require("#x"))',
    files: { 'package.json': '{"imports":{"#x":"./y.js"}}', 'y.js': 'module.exports = 5' },
  },
  {
    name: 'a package',
    file: 'main.js',
    source: 'console.log(require("near"), module.paths)',
    files: {
      'node_modules/near/index.js': 'module.exports = [__filename, module.parent.id, require.main.id]',
    },
  },
  {
    name: 'a name without its ending',
    file: 'main',
    source: '',
    files: { 'main.js': 'console.log(process.argv, __filename)' },
  },
  {
    name: 'a folder',
    file: 'tool',
    source: '',
    files: { 'tool/index.js': 'console.log(process.argv, __filename, require.main === module)' },
  },
  {
    name: 'a folder with a package',
    file: 'tool',
    source: '',
    files: { 'tool/package.json': '{"main":"x.js"}', 'tool/x.js': 'console.log(process.argv, __filename)' },
  },
  {
    name: 'in a folder',
    file: 'tool/run.cjs',
    source: 'console.log(process.argv, __filename, new Error("x").stack)',
  },
  { name: 'a missing script', file: 'other.js', source: '' },
  { name: 'json', file: 'x.json', source: '{"a":1}' },
  { name: 'a shebang', file: 'main.js', source: '#!/usr/bin/env node\nconsole.log(1)' },
  {
    name: 'a source map',
    file: 'main.js',
    source: 'throw new Error("mapped")\n//# sourceMappingURL=main.js.map',
    files: { 'main.js.map': '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}' },
  },
  {
    name: 'a package.json that is broken',
    file: 'main.js',
    source: 'console.log(1)',
    files: { 'package.json': '{' },
  },
  { name: 'TypeScript', file: 'main.ts', source: 'const a: number = 1; console.log(a)' },
];
