import { describe, expect, it } from 'vitest';

import { runToEnd } from './test/in-box.js';
import { settled } from './test/settled.js';
import { endWithEachTest, ENVIRONMENT, imitation, open, spec } from './test/templates.js';

const LONG = 'x'.repeat(120_000);

/** A package of the layer can do whatever it likes with the memory of a template, while it is imported. */
describe('templates whose code is somebody else’s', () => {
  endWithEachTest();

  it('can be imitated, as the tests after this one do', async () => {
    const box = await open();
    const path = imitation();
    await settled(box, () => runToEnd(box, spec(path)));
    for (let round = 0; round < 3; round++)
      expect(await runToEnd(box, spec(path))).toMatchObject({ forked: true, code: 0 });
  });

  it.each([
    ['shares its memory with what it forks', { flags: 'COPIES | 0x100' }],
    ['shares its folders with what it forks', { flags: 'COPIES | 0x200' }],
    ['shares its descriptors with what it forks', { flags: 'COPIES | 0x400' }],
    ['shares what it has of semaphores with what it forks', { flags: 'COPIES | 0x40000' }],
    ['asks how a run has ended', { wait: 'call(61, -1, ctypes.byref(word), 0, 0)' }],
    ['asks what its runs have taken', { wait: 'WAIT; getrusage(-1, ctypes.create_string_buffer(200))' }],
    ['goes to another folder', { wait: 'WAIT; os.chdir("/tmp")' }],
    ['lets others look into it', { wait: 'WAIT; prctl(4, 1)' }],
    ['takes more memory', { wait: 'WAIT; kept = bytearray(100 << 20)' }],
    ['fills memory that it had asked for before', { wait: 'WAIT; ctypes.memset(room, 1, 299 << 20)' }],
    ['forks a second time', { wait: 'WAIT; call(57)' }],
    [
      'has a run that marks its standard input',
      { child: 'fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK)' },
    ],
    ['has a run that locks its standard input', { child: 'fcntl.flock(0, fcntl.LOCK_SH)' }],
  ])('are given up when one %s', async (_, deed) => {
    const box = await open();
    const path = imitation(deed);
    await settled(box, () => runToEnd(box, spec(path)));
    expect((await runToEnd(box, spec(path))).forked).toBe(true);
    expect((await runToEnd(box, spec(path))).forked).toBe(false);
  });

  it('are none when they let others look into them', async () => {
    const box = await open();
    await settled(box, () => runToEnd(box, spec(imitation({ hides: false }))));
    expect(box.templateState).toMatchObject({
      made: 0,
      reason: expect.stringMatching(/looked into/) as string,
    });
  });

  it('keep nobody waiting whose forked process reads nothing', async () => {
    const box = await open();
    const path = imitation({ child: 'time.sleep(60)' });
    const short = { ...spec(path), env: { ...ENVIRONMENT, LONG: '', LONGER: '', LONGEST: '' } };
    await settled(box, () => runToEnd(box, short));
    const env = { ...ENVIRONMENT, LONG, LONGER: LONG, LONGEST: LONG };
    const run = { ...short, env, timeoutMs: 500, graceMs: 100 };
    expect(await runToEnd(box, run)).toMatchObject({ forked: true, timedOut: true });
  });

  it('have no more time than a run has, when what one has forked never comes', async () => {
    const box = await open();
    const path = imitation({ meeting: 'time.sleep(60)' });
    await settled(box, () => runToEnd(box, spec(path)));
    const exit = await runToEnd(box, { ...spec(path), timeoutMs: 500, graceMs: 100 });
    expect(exit).toMatchObject({ forked: true, timedOut: true });
  });

  it('are believed about folders only when their run begins', async () => {
    const box = await open();
    const path = imitation({
      child: 'time.sleep(7); door.send(struct.pack("I", 0)); time.sleep(1)',
    });
    await settled(box, () => runToEnd(box, spec(path)));
    expect(await runToEnd(box, spec(path))).toMatchObject({ forked: true });
  });

  it.each([
    ['ignores the ends of its runs', 'signal.signal(signal.SIGCHLD, signal.SIG_IGN)'],
    ['does without the ends of its runs', 'DOES_WITHOUT()'],
  ])('leave nobody behind who is counted in place of a run, where one %s', async (_, ignore) => {
    const box = await open();
    const path = imitation({
      // SIG_DFL with SA_NOCLDWAIT, which no list shows.
      first: `
def DOES_WITHOUT():
    assert call(13, signal.SIGCHLD, struct.pack("QQQQ", 0, 2, 0, 0), 0, 8) == 0
${ignore}`,
      child: `
door.close()
if forks == 1 and os.fork() == 0:
    before = os.stat("/tmp").st_dev
    while os.stat("/tmp").st_dev == before: pass
    os.close(os.open("/tmp/left", os.O_CREAT | os.O_WRONLY))`,
    });
    await settled(box, () => runToEnd(box, spec(path)));
    expect((await runToEnd(box, spec(path))).forked).toBe(true);
    expect((await runToEnd(box, spec(path))).forked).toBe(false);
  });

  it.each([
    ['is in a folder that is covered later', /folder of its own/, 'os.chdir("/tmp")'],
    [
      'is a program that it has written',
      /program of its own/,
      `
if "memfd" not in os.readlink("/proc/self/exe"):
    program = os.memfd_create("program")
    with open("/proc/self/exe", "rb") as file: os.write(program, file.read())
    with open("/proc/self/cmdline", "rb") as file: words = file.read().split(b"\\0")[:-1]
    with open("/proc/self/environ", "rb") as file: variables = file.read().split(b"\\0")[:-1]
    os.execve(f"/proc/self/fd/{program}", words, dict(word.split(b"=", 1) for word in variables))`,
    ],
  ])('are none when one %s', async (_, reason, first) => {
    const box = await open();
    await settled(box, () => runToEnd(box, spec(imitation({ first }))));
    expect(box.templateState).toMatchObject({ made: 0, reason: expect.stringMatching(reason) as string });
  });

  it('learn nothing of the launcher while one is made', async () => {
    const box = await open();
    const path = imitation({
      // What it prints is why it is refused. One process leaves its place to the template.
      first: `
def watch():
    others, until = set(), os.times()[4] + 0.5
    while os.times()[4] < until:
        for number in (5, 6):
            try:
                with open(f"/proc/{number}/cmdline") as file: others.add(file.read().replace("\\0", " ").strip())
            except OSError: pass
    os.write(2, repr(others).encode())
known, tell = os.pipe()
if os.fork() == 0:
    watcher = os.fork()
    if watcher == 0: watch()
    else: os.write(tell, str(watcher).encode())
    os._exit(0)
os.wait()
watcher = int(os.read(known, 9))
os.close(known), os.close(tell)
fork_at_once = serve
def serve():
    try:
        while True: os.kill(watcher, 0), time.sleep(0.01)
    except ProcessLookupError: pass
    fork_at_once()`,
    });
    await settled(box, () => runToEnd(box, spec(path)));
    expect(box.templateState?.reason).toMatch(/^its imports print: (set\(\)|\{''\})$/);
  });
});
