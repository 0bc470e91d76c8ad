import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { heldSocket } from '../test/held-socket.js';

const STARTER = join(process.cwd(), 'dist/libs/egress/gate-starter');

describe('the starter of the gate', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  interface Started {
    child: ChildProcess;
    told: unknown[];
    reports: Promise<string>;
    ended: Promise<[number | null, string | null]>;
  }

  /** Starts a program in Node's place. */
  function start(code: string): Started {
    expect(existsSync(STARTER), 'built by `npm run build`').toBe(true);
    const child = spawn(STARTER, ['0', process.execPath, '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
      env: {},
      cwd: '/',
    });
    children.push(child);
    const told: unknown[] = [];
    child.on('message', (message) => told.push(message));
    return {
      child,
      told,
      reports: text(child.stdio[4] as Readable),
      ended: new Promise((resolve) => child.once('exit', (...how) => resolve(how))),
    };
  }

  it('lets orders and sockets through, and no descriptor of the worker', async () => {
    const leaked = openSync('/etc/hostname', 'r');
    const { child, told, reports } = start(`
      const { readdirSync, readlinkSync, writeSync } = require('node:fs');
      process.on('message', (message, handle) => {
        const open = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } });
        writeSync(4, JSON.stringify([message, handle?.constructor.name, open.filter((name) => name.startsWith('/') && name !== '/dev/null' && name !== '/dev/urandom' && !name.startsWith('/proc/'))]) + '\\n');
        if (message === 3) process.exit(0);
      });`);
    const { handle } = await heldSocket();
    for (const message of [1, 2, 3]) child.send(message, handle as never);
    expect(
      (await reports)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([1, 2, 3].map((message) => [message, 'TCP', []]));
    expect(told).toEqual([]);
    handle.close();
    closeSync(leaked);
  });

  it.each([
    ['a message', `process.send({ any: 'thing' })`],
    ['an endless line', `require('node:fs').writeSync(3, 'x'.repeat(100_000))`],
    ['a socket that nobody sent', `require('node:fs').writeSync(3, '{"cmd":"NODE_HANDLE_ACK"}\\n')`],
    [
      'a socket of its own',
      `const s = require('node:net').createServer(); s.listen(0, '127.0.0.1', () => process.send('take it', s))`,
    ],
  ])('ends a gate that tries to send its worker %s', async (_, code) => {
    const { told, ended } = start(`${code}; setInterval(() => {}, 1000)`);
    expect(await ended).not.toEqual([0, null]);
    expect(told).toEqual([]);
  });

  it('tells how the gate ended', async () => {
    expect(await start('process.exit(7)').ended).toEqual([7, null]);
    expect(await start(`process.kill(process.pid, 'SIGKILL')`).ended).toEqual([null, 'SIGKILL']);
  });

  it('ends a gate that hangs when its worker is gone', async () => {
    const { child, reports, ended } = start(
      `require('node:fs').writeSync(4, String(process.pid)); while (true);`,
    );
    const stream = child.stdio[4] as Readable;
    await new Promise((resolve) => stream.once('data', resolve));
    child.disconnect();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(existsSync(`/proc/${await reports}`)).toBe(false);
  });
});
