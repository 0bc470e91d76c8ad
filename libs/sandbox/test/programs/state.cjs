/* eslint-disable @typescript-eslint/no-require-imports -- it is a script */
// Prints what a program can find out about how it was started.
const before = {
  modules: process.moduleLoadList.join(),
  cache: Object.keys(require.cache),
  paths: { ...module.constructor._pathCache },
  requests: process._getActiveRequests().length,
};
const { existsSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } = require('fs');
const { inspect } = require('util');
const show = (name, value) =>
  console.log(
    name,
    inspect(value, { depth: 4, maxArrayLength: 1000, maxStringLength: 2000, breakLength: 200 }),
  );

show('before', before);
show('process', Object.getOwnPropertyNames(process).sort());
for (const name of [
  'argv',
  'argv0',
  'execArgv',
  'execPath',
  'title',
  'env',
  'pid',
  'ppid',
  'config',
  'features',
  'versions',
  'exitCode',
  'debugPort',
])
  show(name, process[name]);
for (const name of [
  'uncaughtException',
  'unhandledRejection',
  'warning',
  'exit',
  'beforeExit',
  'SIGTERM',
  'SIGINT',
])
  show(name, process.listeners(name).map(String));
show('events', process.eventNames());
show('argv', Object.getOwnPropertyDescriptors(process));
show('environment', Object.entries(process.env));
show('main', [
  require.main === module,
  module.id,
  module.filename,
  module.loaded,
  module.parent,
  module.children,
  module.paths,
]);
show('module', Object.getOwnPropertyDescriptors(module.constructor));
show('globals', Object.getOwnPropertyNames(globalThis));
show('wrapper', [__filename, __dirname, typeof require, this === module.exports, arguments.length]);
// Without what of this output nobody has read yet.
show('resources', [
  process.getActiveResourcesInfo().filter((name) => name !== 'SimpleWriteWrap'),
  process._getActiveHandles().length,
]);
show('stack', [new Error('x').stack, Error.stackTraceLimit, Error.prepareStackTrace]);
show('clocks', [
  process.uptime() < 3,
  performance.now() < 3000,
  Math.abs(Date.now() - performance.timeOrigin) < 3000,
]);
const { nodeTiming: timing } = performance;
show('timing', [
  timing.startTime,
  timing.nodeStart > 0,
  timing.v8Start > 0,
  timing.environment > 0,
  timing.bootstrapComplete > 0,
  timing.bootstrapComplete < 3000,
  timing.loopStart < 3000,
  timing.loopExit,
]);
show('report', process.report.getReport().header.commandLine);
show('report settings', { ...process.report });
for (const name of ['cmdline', 'environ', 'comm', 'limits', 'cgroup', 'oom_score_adj'])
  show(name, readFileSync(`/proc/self/${name}`, 'latin1'));
show(
  'status',
  readFileSync('/proc/self/status', 'utf8')
    .split('\n')
    .filter(
      (line) => !/^(Vm|Rss|Huge|voluntary|nonvol|untag|Mems|Cpus|x86|Pid|NSpid|Ngid|FDSize)/.test(line),
    ),
);
show(
  'descriptors',
  readdirSync('/proc/self/fd')
    .sort()
    .map((fd) => {
      try {
        return [
          fd,
          fstatSync(Number(fd)).mode,
          readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/flags:.*/)[0],
          readlinkSync(`/proc/self/fd/${fd}`).replace(/\d+/g, ''),
        ];
      } catch {
        return [fd];
      }
    }),
);
show('next descriptor', openSync('/', 'r'));
show('threads', readdirSync('/proc/self/task').length);
show(
  'mounts',
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ').slice(4).join(' '))
    .sort(),
);
show(
  'net',
  readFileSync('/proc/self/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.slice(16)),
);
show(
  'folders',
  ['.', '/', '/tmp', '/inputs', '/runtime', '/runtime/bin'].map((path) => readdirSync(path).sort()),
);
show('working directory', [process.cwd(), process.umask(), process.getuid(), process.getgroups()]);
show('box', [
  readFileSync('/proc/1/cmdline', 'utf8'),
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)),
]);
show('streams', [
  process.stdin.constructor.name,
  process.stdout.constructor.name,
  process.stdout.isTTY,
  process.stdout._type,
  process.stdout.writableHighWaterMark,
]);
show('resolve', [
  require.resolve.paths('x'),
  existsSync('/app/waiting-for-its-program'),
  module.constructor.globalPaths,
]);
show('options', [
  process.allowedNodeEnvironmentFlags.size,
  process.sourceMapsEnabled,
  process.noDeprecation,
  process.throwDeprecation,
  process.traceDeprecation,
]);
