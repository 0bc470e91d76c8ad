import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import type { Sandbox } from './sandbox.js';
import type { SandboxOptions } from './sandbox-options.js';
import { finish } from './test/in-box.js';
import { callSpec, endWithEachTest, folder, open, ready, source } from './test/kept.js';
import { network, serve } from './test/served.js';

const DOES_AS_TOLD = source(
  'python',
  'scope = {**globals(), "found": None}\nexec(inputs.get("code", ""), scope)\nkept.append(scope)\nreturn scope["found"]',
  'import _socket, ctypes, os, select, socket, subprocess, time\nlibc, kept = ctypes.CDLL(None), []\nlibc.mmap.restype = ctypes.c_void_p\nroom = [os.open("/dev/null", os.O_RDONLY) for _ in range(9)]\n',
);

/** A process that waits for its first run. */
async function started(options: SandboxOptions = {}) {
  const box = await open(options);
  const app = folder(DOES_AS_TOLD);
  const run = async (code = '') => {
    const spec = callSpec('python', app, { code });
    const called = box.run(spec);
    const end = await finish(called);
    await called.dispose();
    return { ...end, folder: spec.inputs! };
  };
  await ready(box, () => run());
  return { box, run };
}

async function whyEnded(box: Sandbox): Promise<string | null> {
  await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
  return box.keptState!.reason;
}

/** `lib`: this, as a library of the box. */
const compiled = (code: string): string => `
open("/tmp/x.c", "w").write(${JSON.stringify(code)})
subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", "/tmp/x.so", "/tmp/x.c"], check=True)
lib = ctypes.CDLL("/tmp/x.so")`;

interface Deed {
  /** Before it comes to the launcher's door. */
  before?: string;
  /** At once afterwards: before it is stopped, if it is fast. */
  then?: string;
  /** In the file. */
  top?: string;
}

/** Comes to the launcher's door, where `door` is its socket and `out` a copy of its output. */
const atTheDoor = ({ before = '', then = '', top = '' }: Deed): string =>
  compiled(`#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
static struct sockaddr_un address = {AF_UNIX, "\\0door"};
static int door;
static void start(void *(*thread)(void *)) { pthread_t id; pthread_create(&id, NULL, thread, NULL); }
static void knock(void) { connect(door, (struct sockaddr *)&address, 7); }
${top}
void come(int given, int out, int room) {
  union { struct cmsghdr header; char space[CMSG_SPACE(sizeof out)]; } control = {{CMSG_LEN(sizeof out), SOL_SOCKET, SCM_RIGHTS}};
  struct iovec part = {"x", 1};
  struct msghdr message = {0, 0, &part, 1, &control, sizeof control.space};
  memcpy(CMSG_DATA(&control.header), &out, sizeof out);
  door = given;
  ${before}
  knock();
  ${then}
}`) +
  `
class Door(_socket.socket):
    def connect(self, where): lib.come(self.fileno(), out, room[0])
_socket.socket = Door
out = os.dup(1)`;

/** What it does at the door, and why it is ended. None of them says more, or waits for the next run. */
const AT_THE_DOOR: Record<string, [Deed, RegExp]> = {
  'ends its first thread, and comes there with another': [
    {
      top: 'static pthread_t first; static void *other(void *_) { pthread_join(first, NULL); usleep(20000); knock(); for (;;) pause(); }',
      before: 'close(out); first = pthread_self(); start(other); syscall(SYS_exit, 0);',
    },
    /cannot be stopped/,
  ],
  'is in the middle of a vfork': [
    {
      top: 'static volatile int begun; static void *other(void *_) { if (vfork() == 0) for (begun = 1;;) pause(); return _; }',
      before: 'close(out); start(other); while (!begun) usleep(1000);',
      then: 'for (;;) pause();',
    },
    /cannot be stopped/,
  ],
  'forks without end': [
    { before: 'if (fork() == 0) for (;;) fork(); usleep(100000);', then: 'close(out); for (;;) pause();' },
    /has left a process|keeps the output/,
  ],
  'makes threads without end': [
    {
      top: `static void *none(void *_) { return _; }
static void *other(void *_) { for (;;) { pthread_t id; if (pthread_create(&id, NULL, none, _) == 0) pthread_detach(id); } }`,
      before: 'close(out); for (int i = 0; i < 8; i++) start(other);',
      then: 'for (;;) pause();',
    },
    /more threads|cannot be stopped/,
  ],
  'executes another program, with its output': [
    {
      before: 'fcntl(door, F_SETFD, 0); fcntl(out, F_SETFD, 0);',
      then: 'execl("/usr/bin/sleep", "sleep", "99", NULL);',
    },
    /keeps the output/,
  ],
  'cannot be looked into, and has its output': [
    { before: 'prctl(PR_SET_DUMPABLE, 0);', then: 'for (;;) pause();' },
    /keeps the output/,
  ],
  'has orphans come to it, which it does not bury': [
    {
      before:
        'close(out); prctl(PR_SET_CHILD_SUBREAPER, 1); if (fork() == 0) { if (fork() == 0) usleep(50000); _exit(0); } usleep(10000);',
      then: 'for (;;) pause();',
    },
    /has left a process/,
  ],
  'changes the limits of process 1': [
    {
      before: 'close(out); struct rlimit few = {64, 64}; prlimit(1, RLIMIT_NOFILE, &few, NULL);',
      then: 'for (;;) pause();',
    },
    /changed its limits/,
  ],
  'has memory of System V that has no name any more': [
    {
      before: 'close(out); int id = shmget(0, 4096, 0600); shmat(id, NULL, 0); shmctl(id, IPC_RMID, NULL);',
      then: 'for (;;) pause();',
    },
    /has System V objects/,
  ],
  'has both ends of a connection, one half-closed': [
    {
      before: `close(out);
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000001)};
  socklen_t size = sizeof here;
  int server = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, (void *)&here, size), listen(server, 5), getsockname(server, (void *)&here, &size);
  connect(other, (void *)&here, size);
  int one = accept(server, NULL, NULL);
  shutdown(one, SHUT_WR), dup2(one, room), dup2(other, room + 1), close(one), close(other), close(server);`,
      then: 'for (;;) pause();',
    },
    /lead elsewhere/,
  ],
};

/** Threads with descriptors of their own, each as many as a process may have, of which the kernel has much to tell. */
const MANY_FILES =
  compiled(`#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
static int thread(void *end) { for (int i = 0; i < 10; i++) close(i); *(int *)end = 1; for (;;) pause(); }
void start(void) {
  char *stack = malloc(65536);
  volatile int *begun = (int *)stack;
  *begun = 0;
  clone(thread, stack + 65520, CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, stack);
  while (!*begun) usleep(100);
}`) +
  `
one, other = os.pipe()
poll, files = select.epoll(), []
try:
    while True: files.append(os.dup(one))
except OSError: pass
for file in files: poll.register(file, select.EPOLLIN)
for file in files: os.dup2(poll.fileno(), file)
for _ in range(60): lib.start()
os.closerange(files[0], files[-1] + 1)`;

/** Two ends of a connection that is its own, of which one is gone. */
const toItself = (address: string, family: string): string => `
server = socket.create_server(("${address}", 0), family=socket.${family})
mine = socket.create_connection(server.getsockname()[:2])
other, _ = server.accept()
other.close(), server.close()
mine.recv(1)`;

describe('a process that stays', () => {
  endWithEachTest();

  /** A worker uses such a folder again, for whoever comes next. */
  it.each([
    [
      'in memory',
      'file = os.open("/inputs/inputs.json", os.O_RDONLY)\nmine = libc.mmap(None, 4096, 1, 1, file, 0)\nos.close(file)',
      'ctypes.string_at(kept[0]["mine"], 64).decode()',
    ],
    [
      'as an open folder',
      'mine = os.open("/inputs", os.O_PATH)',
      'open(os.open("inputs.json", os.O_RDONLY, dir_fd=kept[0]["mine"])).read()',
    ],
  ])('does not see what comes into its run’s inputs later, which it has %s', async (_, keeps, looks) => {
    const { box, run } = await started();
    const first = await run(keeps);
    expect(first).toMatchObject({ kept: true, code: 0 });
    writeFileSync(join(first.folder, 'inputs.json'), '{"of": "somebody else"}', { flag: 'r+' });
    const { stdout } = await run(`found = bool(kept) and ${looks}`);
    expect(stdout).toBe('false');
    expect(box.keptState!.reason).toMatch(/keeps \/inputs of its run/);
  });

  it.each([
    ['sends its output to the launcher', 'sendmsg(door, &message, 0); close(out);'],
    [
      'has its output in a message to itself, in place of the door',
      'close(door); int own = socket(AF_UNIX, SOCK_DGRAM, 0); struct sockaddr_un name; socklen_t size = sizeof name; bind(own, (struct sockaddr *)&address, 2); getsockname(own, (struct sockaddr *)&name, &size); connect(own, (struct sockaddr *)&name, size); sendmsg(own, &message, 0); close(out); for (;;) pause();',
    ],
  ])('ends with its run, and the log with it, where it %s', async (_, does) => {
    const { box, run } = await started();
    expect(await run(atTheDoor({ then: does }))).toMatchObject({ kept: true, code: 0 });
    expect(await whyEnded(box)).toMatch(/at the door|keeps the output|local sockets/);
  });

  it.each(Object.entries(AT_THE_DOOR))('ends with its run where it %s', async (_, [deed, reason]) => {
    const { box, run } = await started();
    expect(await run()).toMatchObject({ kept: true, code: 0 });
    const { kept, code, stderr } = await run(atTheDoor(deed));
    expect({ kept, code, stderr }).toEqual({ kept: true, code: 0, stderr: '' });
    expect(await whyEnded(box)).toMatch(reason);
    expect(await run('found = len(kept)')).toMatchObject({ code: 0, stdout: '0' });
  });

  it.each([
    ['a connection to itself', toItself('127.0.0.1', 'AF_INET')],
    ['the same of IPv6', toItself('::1', 'AF_INET6')],
    ['datagrams', 'mine = socket.socket(type=socket.SOCK_DGRAM)\nmine.connect(("127.0.0.1", 8125))'],
  ])(
    'is ended at once where a socket is left that leads elsewhere than to its gate: %s',
    async (_, leaves) => {
      const { box, run } = await started();
      expect(await run()).toMatchObject({ kept: true, code: 0 });
      const { kept, code, stderr } = await run(`while len(room) > 5: os.close(room.pop())\n${leaves}`);
      expect({ kept, code, stderr }).toEqual({ kept: true, code: 0, stderr: '' });
      await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 10_000 });
      expect(box.keptState!.reason).toMatch(/lead elsewhere/);
    },
  );

  it('is looked at for a moment, however many files it has', async () => {
    const { box, run } = await started();
    const { kept, code, stderr } = await run(MANY_FILES);
    expect({ kept, code, stderr }).toEqual({ kept: true, code: 0, stderr: '' });
    expect(await whyEnded(box)).toMatch(/more files than can be looked at/);
  });

  /** The kernel may take some 40 ms to end a connection whose two ends are closed. */
  it('does not keep a port from its next run with connections that it keeps', async () => {
    const box = await open();
    const body = 'return (await fetch("https://api.example.com/")).text();';
    const app = folder(source('node', body));
    const run = async (greeting = '') => {
      const asking = box.run({ ...callSpec('node', app), network: network() });
      const [end] = await Promise.all([finish(asking), serve(asking, greeting, 'keep-alive')]);
      await asking.dispose();
      return end;
    };
    await ready(box, () => run());
    for (let n = 0; n < 60; n++)
      expect(await run(`${n}`)).toMatchObject({ kept: true, stdout: `"${n} api.example.com/ 443\\n"` });
  });

  it.each([
    ['shared', 'mine = libc.mmap(None, 96 << 20, 3, 0x21, -1, 0)\nctypes.memset(mine, 1, 96 << 20)'],
    [
      'in tables of pages that hold nothing',
      'mine = libc.mmap(None, ctypes.c_size_t(48 << 30), 1, 0x4022, -1, 0)\nfor at in range(mine, mine + (48 << 30), 2 << 20): ctypes.c_char.from_address(at).value',
    ],
    [
      'in a file that has no name',
      'os.close(room.pop())\nmine = os.memfd_create("mine")\nos.write(mine, bytes(96 << 20))',
    ],
  ])('has no more memory of any kind than all may have: %s', async (_, takes) => {
    const { box, run } = await started({ kept: { memoryBytes: 64 << 20 } });
    expect(await run(takes)).toMatchObject({ kept: true, code: 0 });
    await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 30_000 });
  });
});
