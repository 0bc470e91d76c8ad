import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, inject, it } from 'vitest';

import { runUntil } from '../support/scripts.js';
import { anAttacker, newMarker, PROCESSES, processesWith } from './support/attack.js';

const attacker = anAttacker();
const dataDirectory = inject('dataDirectory');

/** Where a word stands in names, links and contents: of the box's own files and of what /proc says. */
const SEARCH = `
SKIPPED = {"/": {"usr", "runtime", "lib", "lib64", "bin", "sbin"}}
def content(path):
    try:
        if not stat.S_ISREG(os.stat(path).st_mode): return b""
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try: return os.read(file, 1 << 20)
        finally: os.close(file)
    except OSError: return b""
def target(path):
    try: return os.fsencode(os.readlink(path))
    except OSError: return b""
def places(word):
    word, found, seen = word.encode(), set(), 0
    for folder, folders, names in os.walk("/"):
        folders[:] = set(folders) - SKIPPED.get(folder, {"task", "map_files"} if folder.startswith("/proc/") else set())
        for name in names + folders:
            path = os.path.join(folder, name)
            if word in os.fsencode(name) or word in target(path): found.add(path)
        for name in set(names) - {"kmsg", "pagemap"}:
            seen += 1
            if word in content(os.path.join(folder, name)): found.add(os.path.join(folder, name))
    return sorted(found), seen
`;

describe('the host’s files', () => {
  it('/etc/shadow and the like are not there, by whatever way', async () => {
    const found = await attacker.findings(`
ways = ["", "/proc/self/root", "/proc/1/root", "/app/..", "/inputs/../..", "/proc/self/cwd/../../..", "/tmp/../..", "/proc/self/fd/0/.."]
files = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/root", "/home", "/var/log", "/var/lib", "/run", "/sys", "/boot", "/mnt", "/srv", "/opt", "/etc/ssh"]
print(json.dumps([way + file for way in ways for file in files if refusal(os.stat, way + file).startswith("done")]))
`);
    expect(found).toEqual([]);
  });

  it('its users are not known', async () => {
    const found = await attacker.findings(
      'print(json.dumps([line.split(":")[0] for line in open("/etc/passwd")]))',
    );
    expect(found).toEqual(['root', 'script', 'nobody']);
  });

  it('its /tmp is another', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-host-'));
    await writeFile(join(directory, 'file'), 'x', { mode: 0o666 });
    const found = await attacker.findings(
      'print(json.dumps([os.listdir("/tmp"), os.listdir("/var/tmp"), os.path.exists(inputs()["file"])]))',
      {},
      { file: join(directory, 'file') },
    );
    expect(found).toEqual([[], [], false]);
    await rm(directory, { recursive: true });
  });

  it('nothing of the data directory is reached: keys, credentials, files, versions, inputs of others', async () => {
    const paths = (await readdir(dataDirectory, { recursive: true })).map((name) =>
      join(dataDirectory, name),
    );
    expect(paths).toEqual(
      expect.arrayContaining(
        ['master.key', 'first-run.json', 'files'].map((name) => join(dataDirectory, name)),
      ),
    );
    const found = await attacker.findings(
      `
ways = ["", "/proc/self/root", "/proc/1/root", "/app/../../..", "/inputs/../../..", "/proc/self/cwd/../../.."]
def above(start):
    seen, folder = set(), os.open(start, os.O_RDONLY)
    for _ in range(10):
        seen.update(os.listdir(folder)); folder = os.open("..", os.O_RDONLY, dir_fd=folder)
    return seen
print(json.dumps([way + path for way in ways for path in inputs()["paths"] if refusal(os.stat, way + path).startswith("done")]
  + [start for start in ("/app", "/inputs", "/outputs", "/tmp") if {"master.key", "first-run.json"} & above(start)]))
`,
      {},
      { paths: [dataDirectory, ...paths.slice(0, 3000)] },
    );
    expect(found).toEqual([]);
  });

  it('neither the master key nor the database’s password is in anything that can be read', async () => {
    const key = (await readFile(join(dataDirectory, 'master.key'), 'utf8')).trim();
    const { password } = new URL(inject('databaseUrl'));
    expect(key.length).toBeGreaterThan(40);
    expect(password.length).toBeGreaterThan(20);
    for (const secret of [key, password]) {
      // Asked for in two halves, or the search would find itself.
      const [found, seen] = await attacker.findings(`${SEARCH}
print(json.dumps(places("${secret.slice(0, 9)}" + "${secret.slice(9)}")))
`);
      expect(found).toEqual([]);
      expect(seen).toBeGreaterThan(100);
    }
  });

  it('the search finds what is there', async () => {
    const [found] = await attacker.findings(`${SEARCH}
open("/tmp/a", "w").write("need" + "le"); os.symlink("need" + "le", "/tmp/b"); open("/dev/shm/need" + "le", "w").close()
subprocess.Popen(["sleep", "5"], env={"X": "need" + "le"})
print(json.dumps(places("need" + "le")))
`);
    expect(found.filter((path: string) => !path.startsWith('/proc/'))).toEqual([
      '/dev/shm/needle',
      '/tmp/a',
      '/tmp/b',
    ]);
    expect(found).toContainEqual(expect.stringMatching(/^\/proc\/\d+\/environ$/));
  });
});

describe('the worker', () => {
  it('gives its environment to nobody', async () => {
    const found = await attacker.findings('print(json.dumps(dict(os.environ)))');
    expect(found).toEqual({
      PATH: '/runtime/bin:/usr/local/bin:/usr/bin:/bin',
      HOME: '/tmp',
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      USER: 'script',
      PWD: '/app',
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      GATEHOUSE_INPUTS: '/inputs/.inputs.json',
      GATEHOUSE_RUN_ID: expect.stringMatching(/^run_/),
      GATEHOUSE_SCRIPT: expect.stringMatching(/^script-/),
      GATEHOUSE_ATTEMPT: '1',
      GATEHOUSE_ENVIRONMENT: 'production',
    });
  });

  it('shows nothing of itself in /proc', async () => {
    const found = await attacker.findings(`
def read(path):
    try: return open(path, "rb").read(1 << 16).decode("utf8", "replace").replace("\\0", " ")
    except OSError as error: return errno.errorcode[error.errno]
def links(path):
    try: return sorted(os.readlink(path + "/" + name) for name in os.listdir(path))
    except OSError as error: return errno.errorcode[error.errno]
print(json.dumps({
  "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
  "environ": read("/proc/1/environ"), "cmdline": read("/proc/1/cmdline"),
  "descriptors": links("/proc/1/fd"), "cwd": links("/proc/1"),
  "cgroup": sorted({line.split(":", 2)[2] for line in read("/proc/self/cgroup").splitlines()}),
}))
`);
    expect(PROCESSES).toContainEqual(found.processes);
    expect(found.environ).toMatch(/^(|EACCES|EPERM|ENOENT)$/);
    expect(found.cmdline).toMatch(/^(|ENOENT)$/);
    expect(JSON.stringify(found)).not.toContain(dataDirectory);
    for (const link of [found.descriptors].flat()) {
      expect(link).toMatch(
        /^(EACCES|EPERM|ENOENT|\/dev\/null|pipe:\[\d+\]|anon_inode:\[(eventfd|signalfd)\])$/,
      );
    }
    expect(found.cgroup).toEqual(['/']);
  });

  it('passes on no descriptor but the three', async () => {
    const found = await attacker.findings(`
listed = []
for number in range(0, 1024):
    try: listed.append([number, os.readlink("/proc/self/fd/%d" % number)])
    except OSError: pass
print(json.dumps(listed))
`);
    expect(found).toEqual([
      [0, '/dev/null'],
      [1, expect.stringMatching(/^pipe:/)],
      [2, expect.stringMatching(/^pipe:/)],
    ]);
  });

  it('gets no signal', async () => {
    const pids = processesWith('dist/src/main.js');
    expect(pids.length).toBeGreaterThan(0);
    const found = await attacker.findings(
      `
me = os.getpid()
answers = {refusal(os.kill, pid, 0) for pid in inputs()["pids"] if pid > 100}
os.kill(1, 9); os.kill(1, 15)
signal.signal(signal.SIGTERM, signal.SIG_IGN); refusal(os.kill, -1, 15)
print(json.dumps(sorted(answers)))
`,
      {},
      { pids },
    );
    expect(found).toEqual(['ESRCH']);
  });
});

describe('other runs', () => {
  it('are invisible while they run: files, inputs, memory, processes', async () => {
    const marker = newMarker();
    const victim = await attacker.script(
      `
secret = inputs()["secret"]
for folder in ("/tmp", "/outputs", "/dev/shm"): open(folder + "/" + secret, "w").write(secret)
libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0x4242, 4096, 0o1666)
if segment >= 0: ctypes.memmove(libc.shmat(segment, None, 0), secret.encode(), len(secret))
sys.stderr.write("hidden\\n"); time.sleep(60)
`,
      { timeout: 60, command: 'python3 main.py {secret}', inputSchema: undefined },
    );
    const { body } = await attacker.api.post(`/v1/scripts/${victim.slug}/runs`, {
      inputs: { secret: marker },
    });
    await runUntil(attacker.api, body.id, (run) => run.logLines > 0);
    const [[found, seen], segment, processes] = await attacker.findings(`${SEARCH}
print(json.dumps([places("${marker.slice(0, 9)}" + "${marker.slice(9)}"), ctypes.CDLL(None).shmget(0x4242, 0, 0), len([p for p in os.listdir("/proc") if p.isdigit()])]))
`);
    expect(found).toEqual([]);
    expect(seen).toBeGreaterThan(100);
    expect(segment).toBe(-1);
    expect(PROCESSES.map((all) => all.length)).toContain(processes);
    await attacker.api.post(`/v1/runs/${body.id}/cancel`);
  });

  it('cannot be watched by the files of /usr that they open', async () => {
    const answers = await attacker.findings(`
import fcntl
libc = ctypes.CDLL(None, use_errno=True)
def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), name)
    return "made"
shared, folder = os.open(os.__file__, os.O_RDONLY), os.open(os.path.dirname(os.__file__), os.O_RDONLY)
print(json.dumps({
  "inotify": refusal(called, "inotify_init1", 0),
  "fanotify": refusal(called, "fanotify_init", 0, 0),
  "notices of a folder": refusal(fcntl.fcntl, folder, fcntl.F_NOTIFY, 0x8000001f),
  "a lease": refusal(fcntl.fcntl, shared, fcntl.F_SETLEASE, fcntl.F_RDLCK),
  "a lease, with an upper half that the kernel ignores": refusal(called, "fcntl", shared, ctypes.c_long(2**32 + fcntl.F_SETLEASE), 0),
  "whether a part is in the cache": refusal(os.preadv, shared, [bytearray(4096)], 0, os.RWF_NOWAIT),
}))
`);
    for (const [way, answer] of Object.entries(answers))
      expect([way, answer]).toEqual([way, expect.stringMatching(/^E(NOSYS|PERM|INVAL|NOTSUP)$/)]);
  });

  it('leave nothing to those that come after them in the same place', async () => {
    const leave = await attacker.script(`
for folder in ("/tmp", "/outputs", "/dev/shm", "/var/tmp"): open(folder + "/left", "w").write("left")
a = socket.socket(socket.AF_UNIX); a.bind("\\0left")
libc = ctypes.CDLL(None); libc.shmget(0x4243, 4096, 0o1666); libc.msgget(0x4243, 0o1666); libc.semget(0x4243, 1, 0o1666)
open("/proc/self/oom_score_adj", "w").write("1000")
os.nice(5)
`);
    const look = await attacker.script(`
libc = ctypes.CDLL(None)
print(json.dumps([[folder for folder in ("/tmp", "/outputs", "/dev/shm", "/var/tmp") if os.listdir(folder)],
  libc.shmget(0x4243, 0, 0), libc.msgget(0x4243, 0), libc.semget(0x4243, 0, 0), os.nice(0), open("/proc/net/unix").read().count("@left")]))
`);
    // More often than there are places, so that some place is used twice.
    for (let round = 0; round < 10; round++) {
      expect(await attacker.run(leave)).toMatchObject({ status: 'succeeded' });
      expect((await attacker.run(look)).output).toEqual([[], -1, -1, -1, 0, 0]);
    }
  });

  it('hear nothing through the standard input: neither its lock nor its flags outlive a run', async () => {
    const script = await attacker.script(`
import fcntl
fresh, flags = os.open("/dev/null", os.O_RDONLY), fcntl.fcntl(0, fcntl.F_GETFL)
for attempt in range(100): # others at this moment may have locked it, too
    found = [refusal(fcntl.flock, fresh, fcntl.LOCK_EX | fcntl.LOCK_NB), flags & (os.O_NONBLOCK | os.O_APPEND)]
    if found[0] != "EAGAIN": break
    time.sleep(0.05)
os.close(fresh)
fcntl.flock(0, fcntl.LOCK_EX | fcntl.LOCK_NB)
fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_NONBLOCK | os.O_APPEND)
print(json.dumps(found))
`);
    for (let round = 0; round < 10; round++)
      expect((await attacker.run(script)).output).toEqual(['done: None', 0]);
  });

  it('get their script as it was published, whatever an earlier one tried', async () => {
    const script = await attacker.script(`
answers = [refusal(open, "/app/main.py", "a"), refusal(os.unlink, "/app/main.py"), refusal(os.chmod, "/app/main.py", 0o777),
  refusal(os.rename, "/app/main.py", "/app/other.py"), refusal(os.utime, "/app/main.py"), refusal(os.mkdir, "/app/__pycache__"), refusal(os.truncate, "/app/main.py", 0)]
print(json.dumps([answers, sorted(os.listdir("/app"))]))
`);
    for (let round = 0; round < 2; round++) {
      const [answers, left] = (await attacker.run(script)).output;
      for (const answer of answers) expect(answer).toMatch(/^E(ROFS|ACCES)$/);
      expect(left).toEqual(['main.py']);
    }
  });
});
