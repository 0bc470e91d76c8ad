import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, inject, it } from 'vitest';

import {
  DATA_DIRECTORY,
  FIRST_PROCESS,
  HIDE,
  HOST_FILES,
  LEAVE,
  LOOK,
  SEARCH,
  seekHidden,
  SIGNALS,
} from '../../libs/attacks/index.js';
import { runUntil } from '../support/scripts.js';
import { anAttacker, newMarker, pathsIn, PROCESSES, processesWith } from './support/attack.js';

const attacker = anAttacker();
const dataDirectory = inject('dataDirectory');

describe('the host’s files', () => {
  it('/etc/shadow and the like are not there, by whatever way', async () => {
    const found = await attacker.findings(HOST_FILES);
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
    const paths = (await pathsIn(dataDirectory)).map((name) => join(dataDirectory, name));
    expect(paths).toEqual(
      expect.arrayContaining(
        ['master.key', 'first-run.json', 'files'].map((name) => join(dataDirectory, name)),
      ),
    );
    const found = await attacker.findings(
      DATA_DIRECTORY,
      {},
      { paths: [dataDirectory, ...paths.slice(0, 3000)], names: ['master.key', 'first-run.json'] },
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
subprocess.Popen(["sleep", "60"], env={"X": "need" + "le"})
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
    const found = await attacker.findings(FIRST_PROCESS);
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
    const found = await attacker.findings(SIGNALS, {}, { pids });
    expect(found).toEqual(['ESRCH']);
  });
});

describe('other runs', () => {
  it('are invisible while they run: files, inputs, memory, processes', async () => {
    const marker = newMarker();
    const victim = await attacker.script(HIDE, {
      timeout: 60,
      command: 'python3 main.py {secret}',
      inputSchema: undefined,
    });
    const { body } = await attacker.api.post(`/v1/scripts/${victim.slug}/runs`, {
      inputs: { secret: marker },
    });
    await runUntil(attacker.api, body.id, (run) => run.logLines > 0);
    const [[found, seen], segment, processes] = await attacker.findings(seekHidden(marker));
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
    const leave = await attacker.script(LEAVE);
    const look = await attacker.script(LOOK);
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
