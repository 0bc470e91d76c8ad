import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GIVEN_FROM, type Home, ORDINARY_UID, ordinaryHome } from '../../libs/sandbox/test/ordinary-user.js';
import { isInstalled } from '../support/is-installed.js';

/** What a box may have of what the kernel counts by user, tried to the end. It holds all of it while it sleeps. */
const HOLD_EVERYTHING = `
import array, ctypes, json, os, select, signal, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
held = {}

def attempt(name, most, step):
    count = 0
    try:
        while count < most:
            step(count)
            count += 1
    except OSError:
        pass
    held[name] = count

def call(result):
    if result == -1: raise OSError(ctypes.get_errno(), 'refused')
    return result

r, w = os.pipe()
for number in range(100, 900): os.dup2(r, number)
polls = [select.epoll() for _ in range(100)]
attempt('watches', 80000, lambda n: polls[n // 800].register(100 + n % 800))
os.closerange(100, 900)

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
attempt('signals', 5000, lambda n: call(libc.sigqueue(os.getpid(), signal.SIGRTMIN, None)))
timer = ctypes.c_void_p()
attempt('timers', 5000, lambda n: call(libc.timer_create(1, None, ctypes.byref(timer))))

one, other = socket.socketpair()
passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [r] * 50))]
attempt('messages', 100, lambda n: one.sendmsg([b'x'], passed, socket.MSG_DONTWAIT))

held['locked'] = libc.mlock(ctypes.create_string_buffer(1 << 20), 1 << 20) == 0
attempt('queues', 50, lambda n: call(libc.mq_open(b'/q%d' % n, os.O_CREAT | os.O_RDWR, 0o600, None)))
held['key'] = libc.syscall(248, b'user', b'name', b'value', 5, -3) >= 0
held['namespace'] = libc.unshare(0x10000000) == 0

pipes = []
def pipe(n):
    pipes.append(os.pipe())
attempt('pipes', 300, pipe)

def fork(n):
    if os.fork() == 0: time.sleep(60)
attempt('processes', 1000, fork)
print(json.dumps(held), flush=True)
time.sleep(60)
`;

/** A worker and a box beside it, of which nothing but the user is different from one to the other. */
const WORKER = `
import { Sandbox } from './lib/index.js';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';

const watches = Number(readFileSync('/proc/sys/fs/epoll/max_user_watches', 'utf8'));
const sandbox = await Sandbox.open({ maxSlots: Math.ceil(watches / 4 / 50_000) });
const spec = { env: {}, app: process.cwd() + '/app', timeoutMs: 90_000 };
const box = sandbox.run({ ...spec, argv: ['python3', 'hold.py', 'everything'] });
box.stderr.pipe(process.stderr);
const held = JSON.parse(String((await once(box.stdout, 'data'))[0]));

const users = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
  try {
    if (!readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('hold.py\\0everything')) return [];
    return [Number(/^Uid:\\s+(\\d+)/m.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1])];
  } catch {
    return [];
  }
});

const alive = {};
alive.process = (await once(spawn('true'), 'exit'))[0];
alive.thread = (await once(new Worker('process.exit(7)', { eval: true }), 'exit'))[0];
const server = createServer((socket) => socket.end('served')).listen(0, '127.0.0.1');
await once(server, 'listening');
const sockets = await Promise.all(Array.from({ length: 200 }, async () => {
  const socket = connect(server.address().port, '127.0.0.1');
  return String((await once(socket, 'data'))[0]);
}));
alive.sockets = sockets.filter((text) => text === 'served').length;
writeFileSync('child.js', "process.on('message', (text, handle) => process.send(typeof handle.address().port))");
const child = fork('child.js');
child.send('server', server);
alive.handle = (await once(child, 'message'))[0];
child.kill();
const second = sandbox.run({ ...spec, argv: ['sh', '-c', 'cat < /dev/null; echo ran'],
  network: { ports: [], names: ['a.example'], caPem: '-----BEGIN CERTIFICATE-----' } });
alive.sent = (await second.network)?.servers.length ?? null;
alive.box = String((await once(second.stdout, 'data'))[0]);
await second.dispose();

box.kill();
await box.exited;
await box.dispose();
await sandbox.close();
server.close();
console.log(JSON.stringify({ held, users: [...new Set(users)], alive }));
process.exit();
`;

interface Result {
  held: Record<string, number | boolean>;
  users: number[];
  alive: Record<string, unknown>;
}

/** A machine without `newuidmap` gives nobody ids. */
const USERS = [
  { title: 'whom the system has given ids', withGivenIds: true },
  { title: 'who has no ids but its own', withGivenIds: false },
].filter(({ withGivenIds }) => !withGivenIds || isInstalled('newuidmap'));

describe.each(USERS)('the worker of an ordinary user $title', ({ withGivenIds }) => {
  let home: Home;
  let result: Result;

  beforeAll(() => {
    const files = { app: { mode: 0o755 }, 'app/hold.py': { mode: 0o644, text: HOLD_EVERYTHING } };
    home = ordinaryHome(files, withGivenIds);
    result = home.run(WORKER) as Result;
  });
  afterAll(() => home.remove());

  it(
    withGivenIds
      ? 'runs each box as somebody else'
      : 'counts what a box watches, and refuses what is too much',
    () => {
      const { users, held } = result;
      expect(users).toHaveLength(1);
      if (withGivenIds) {
        expect(users[0]).toBeGreaterThanOrEqual(GIVEN_FROM);
        expect(held['watches']).toBe(80_000);
      } else {
        expect(users).toEqual([ORDINARY_UID]);
        expect(held['watches']).toBeGreaterThan(40_000);
        expect(held['watches']).toBeLessThanOrEqual(50_000);
      }
    },
  );

  it('lets a box have little of what the kernel counts for the user all the same', () => {
    const { held } = result;
    expect(held['signals']).toBeLessThanOrEqual(1024);
    expect(held['timers']).toBeLessThanOrEqual(1024);
    expect(held['messages']).toBeLessThanOrEqual(22);
    expect(held['queues']).toBeLessThanOrEqual(1);
    expect(held['processes']).toBeLessThanOrEqual(130);
    expect(held).toMatchObject({ locked: false, key: false, namespace: false });
  });

  it('goes on with processes, threads, sockets and boxes while a box holds everything that it can', () => {
    expect(result.alive).toEqual({
      process: 0,
      thread: 7,
      sockets: 200,
      handle: 'number',
      sent: 1,
      box: 'ran\n',
    });
  });
});
