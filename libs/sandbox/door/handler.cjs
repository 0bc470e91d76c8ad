// The program of a box whose command names a file that exports a function. It calls that function once: what it returns is written
// to standard output as JSON, and what is printed meanwhile goes to standard error. Arguments: the file, what it is told, as JSON, and
// whether it stays for further runs: then it calls the function again for each of them (see native/kept.c).
/* eslint-disable @typescript-eslint/no-require-imports -- a CommonJS file is loaded sooner */
'use strict';
const { closeSync, constants, openSync, readdirSync, readFileSync, stat, writeSync } = require('node:fs');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { format } = require('node:util');

const [, , entry, told, stays] = process.argv;
const main = resolve(entry);
process.argv.splice(1, Infinity, main);

// Node cannot duplicate a descriptor, but the next one that is opened is the lowest that is free.
let output = openSync('/proc/self/fd/1', constants.O_WRONLY);
closeSync(1);
if (openSync('/proc/self/fd/2', constants.O_WRONLY) !== 1) throw new Error('standard output is taken');

const say = (line) => void process.stderr.write(`${line}\n`);

const OF_EACH_RUN = {
  log: (...words) => say(format(...words)),
  progress(fraction, message = '') {
    if (!(fraction >= 0 && fraction <= 1)) throw new RangeError('progress is a number from 0 to 1');
    say(`::progress ${Number(fraction).toFixed(6)} ${String(message).replaceAll(/\s+/g, ' ')}`.trimEnd());
  },
};

/** Of a CommonJS module that was compiled from one of the other kind, the function is one step deeper. */
function handlerOf({ default: exported }) {
  if (typeof exported === 'function') return exported;
  if (typeof exported?.default === 'function') return exported.default;
  throw new TypeError(`${entry} exports no function as its default`);
}

function textOf(value) {
  const text = value === undefined ? 'null' : JSON.stringify(value);
  if (text === undefined) throw new TypeError(`the handler returned a ${typeof value}, which is no JSON`);
  return text;
}

function write(bytes) {
  for (let written = 0; written < bytes.length;) written += writeSync(output, bytes, written);
}

const turn = () => new Promise((done) => setImmediate(done));

/** Once all that was printed is written. Streams that nobody has used yet would take time to be made: what writes is some `…Wrap`. */
async function printed() {
  if (!process.getActiveResourcesInfo().some((name) => name.endsWith('Wrap'))) return;
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write('', done));
}

/** How much there is of what holds Node open, and of threads. */
const activity = () => [process.getActiveResourcesInfo().length, readdirSync('/proc/self/task').length];

/** How a process begins to stay. It is told what it does of its own accord from what the function has left. */
async function settle() {
  void [process.stdout, process.stderr];
  await new Promise((done) => stat('/', done));
  await turn();
  const { exports: next } = load('/runtime/warm/stay.so');
  return { next, usual: activity() };
}

function load(path) {
  const loaded = { exports: {} };
  process.dlopen(loaded, path);
  return loaded;
}

/** The next run, once there is one. What it is given: see `next` in stay/stay.c. */
async function nextRun(next) {
  closeSync(output);
  const given = next();
  output = given.readUInt32LE(0);
  const [start, middle, end] = [
    16,
    16 + given.readUInt32LE(4),
    16 + given.readUInt32LE(4) + given.readUInt32LE(8),
  ];
  const words = (from, to) => given.toString('utf8', from, to).split('\0').slice(0, -1);
  for (const variable of words(middle, end)) {
    const at = variable.indexOf('=');
    process.env[variable.slice(0, at)] = variable.slice(at + 1);
  }
  // That its connections are closed by now, it hears first.
  await turn();
  await turn();
  return words(start, middle)[3];
}

async function handle() {
  const stay = stays ? await settle() : null;
  const handler = handlerOf(await import(pathToFileURL(main)));
  for (let next = told; ; next = await nextRun(stay.next)) {
    const { inputs, ...known } = JSON.parse(next);
    const value = await handler(
      JSON.parse(readFileSync(inputs, 'utf8')),
      Object.freeze({ ...known, ...OF_EACH_RUN }),
    );
    write(Buffer.from(textOf(value)));
    await printed();
    if (stay) await turn();
    // Does not wait for timers, connections or threads that the function has left, and with any of them does not stay.
    if (!stay || process.exitCode || activity().some((count, index) => count > stay.usual[index]))
      process.exit();
  }
}

// Nobody catches what it throws: Node reports that as of any script. Not awaited here, or Node would complain about this file
// where the function never returns; without an answer the run has failed.
void handle();
