import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { confinement } from './support/compose.js';
import { tryIn } from './support/container.js';

interface Rule {
  names: string[];
  action: string;
  args?: object[];
  comment?: string;
}

interface Profile {
  syscalls: Rule[];
  [other: string]: unknown;
}

/** What the launcher and bubblewrap call and the engine's default forbids, as rules or as names. */
const ADDED = [
  ...['unshare', 'clone', 'setns'],
  ...['mount', 'umount2', 'pivot_root', 'open_tree', 'move_mount', 'mount_setattr'],
  'sethostname',
];
const PROBE = 'test/container/support/probe.mjs';
const SECCOMP = '--security-opt=seccomp=';

const read = async (path: string): Promise<Profile> => JSON.parse(await readFile(path, 'utf8')) as Profile;

describe('deploy/seccomp.json', () => {
  let directory: string;
  let ours: Profile;
  let engines: Profile;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-seccomp-'));
    ours = await read('deploy/seccomp.json');
    engines = await read('test/container/support/engine-seccomp.json');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** What the sandbox's own test of itself says, as in compose.yaml but for these. */
  async function probe(change: (option: string) => string | null): Promise<string> {
    const options = confinement().flatMap((option) => change(option) ?? []);
    const { stdout, stderr } = await tryIn(
      ['node', '/probe.mjs'],
      [...options, `--volume=${resolve(PROBE)}:/probe.mjs:ro`],
    );
    return (stdout || stderr).trim();
  }

  async function probeWith(profile: Profile): Promise<string> {
    const path = join(directory, `${Math.random()}.json`);
    await writeFile(path, JSON.stringify(profile));
    return probe((option) => (option.startsWith(SECCOMP) ? SECCOMP + path : option));
  }

  it('is the engine’s default, with ten calls more', () => {
    const { syscalls, ...rest } = engines;
    expect(ours).toMatchObject(rest);
    expect(ours.syscalls.slice(0, syscalls.length)).toEqual(syscalls);
    const added = ours.syscalls.slice(syscalls.length);
    expect(added.flatMap(({ names }) => names)).toEqual(ADDED);
    for (const rule of added) {
      expect(rule).toMatchObject({
        action: 'SCMP_ACT_ALLOW',
        comment: expect.stringMatching(/^Gatehouse: /),
      });
    }
  });

  it('is all that the sandbox needs, beside a /proc without covered parts', async () => {
    expect(await probe((option) => option)).toBe('works, limits: reduced');
    expect(await probe((option) => (option.endsWith('systempaths=unconfined') ? null : option))).toMatch(
      /mounting \/proc \(in a container, parts of it must not be masked\)/,
    );
    expect(await probeWith(engines)).toMatch(/unshare: Operation not permitted/);
  });

  it('is enough as a kubelet takes it, where no rule has a condition', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['deploy/kubelet-seccomp.mjs']);
    expect(await probeWith(JSON.parse(stdout) as Profile)).toBe('works, limits: reduced');
  });

  it.each(ADDED)('%s is needed', async (name) => {
    const syscalls = ours.syscalls.map((rule) =>
      rule.comment?.startsWith('Gatehouse: ')
        ? { ...rule, names: rule.names.filter((one) => one !== name) }
        : rule,
    );
    expect(await probeWith({ ...ours, syscalls: syscalls.filter(({ names }) => names.length > 0) })).toMatch(
      /^the (?:sandbox's launcher|box) could not/,
    );
  });

  it('lets nobody enter or make other namespaces than these', async () => {
    const code = `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *arguments):
    return name if libc.syscall(*[ctypes.c_long(n) for n in arguments]) >= 0 else errno.errorcode[ctypes.get_errno()]
network = os.open("/proc/self/ns/net", os.O_RDONLY)
numbers = {"x86_64": (56, 308), "aarch64": (220, 268)}[os.uname().machine]
for flag in (0x40000000, 0x8000000, 0x4000000, 0x2000000):
    print(attempt("clone", numbers[0], flag | 0x10000000 | 17, 0, 0, 0, 0))
print(attempt("setns", numbers[1], network, 0x40000000), attempt("setns", numbers[1], network, 0))
`;
    const { stdout } = await tryIn(['python3', '-c', code]);
    expect(stdout).toBe('EPERM\nEPERM\nEPERM\nEPERM\nEPERM EPERM\n');
  });
});
