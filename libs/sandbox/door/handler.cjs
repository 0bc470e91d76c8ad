// The program of a box whose command names a file that exports a function. It calls that function once: what it returns is written
// to standard output as JSON, and what is printed meanwhile goes to standard error. Arguments: the file, and what it is told, as JSON.
/* eslint-disable @typescript-eslint/no-require-imports -- a CommonJS file is loaded sooner */
'use strict';
const { closeSync, constants, openSync, readFileSync, writeSync } = require('node:fs');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { format } = require('node:util');

const [, , entry, told] = process.argv;
const { inputs, ...known } = JSON.parse(told);
const main = resolve(entry);
process.argv.splice(1, 3, main);

// Node cannot duplicate a descriptor, but the next one that is opened is the lowest that is free.
const output = openSync('/proc/self/fd/1', constants.O_WRONLY);
closeSync(1);
if (openSync('/proc/self/fd/2', constants.O_WRONLY) !== 1) throw new Error('standard output is taken');

const say = (line) => void process.stderr.write(`${line}\n`);

const run = Object.freeze({
  ...known,
  log: (...words) => say(format(...words)),
  progress(fraction, message = '') {
    if (!(fraction >= 0 && fraction <= 1)) throw new RangeError('progress is a number from 0 to 1');
    say(`::progress ${Number(fraction).toFixed(6)} ${String(message).replaceAll(/\s+/g, ' ')}`.trimEnd());
  },
});

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

/** Does not wait for timers, connections or threads that the function has left. */
function answer(value) {
  const bytes = Buffer.from(textOf(value));
  for (let written = 0; written < bytes.length;) written += writeSync(output, bytes, written);
  process.exit();
}

async function handle() {
  const handler = handlerOf(await import(pathToFileURL(main)));
  return handler(JSON.parse(readFileSync(inputs, 'utf8')), run);
}

// Nobody catches what it throws: Node reports that as of any script. Not awaited here, or Node would complain about this file
// where the function never returns; without an answer the run has failed.
void handle().then(answer);
