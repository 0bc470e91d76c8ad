import { describe, expect, it } from 'vitest';

import { BONDS, OTHER_USERS, OWN_SETUID, RIGHTS, SETUID_PROGRAMS } from '../../libs/attacks/index.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();

const NONE = '0000000000000000';

describe('a script', () => {
  it('is nobody, may nothing and cannot gain anything', async () => {
    const found = await attacker.findings(RIGHTS);
    expect(found).toEqual({
      Uid: '1000',
      Gid: '1000',
      CapInh: NONE,
      CapPrm: NONE,
      CapEff: NONE,
      CapBnd: NONE,
      CapAmb: NONE,
      NoNewPrivs: '1',
      Seccomp: '2',
      groups: expect.any(Array),
      inside: [['1000', expect.any(String), '1']],
    });
    for (const group of found.groups) expect([1000, 65534]).toContain(group);
  });

  it('cannot become another user or group', async () => {
    const answers = await attacker.findings(OTHER_USERS);
    for (const answer of answers) expect(answer).toMatch(/^E(PERM|INVAL)$/);
  });

  it('cannot take its bonds off', async () => {
    const answers = await attacker.findings(BONDS);
    for (const [way, answer] of Object.entries(answers)) {
      expect([way, answer]).toEqual([way, expect.stringMatching(/^E(PERM|INVAL)$/)]);
    }
  });

  it.each(['su', 'sudo', 'mount', 'umount', 'passwd', 'chsh', 'gpasswd', 'pkexec', 'fusermount3'])(
    'gains nothing from the setuid program %s',
    async (program) => {
      const found = await attacker.findings(
        `
import shutil
path = shutil.which(inputs()["program"])
attempts = {"su": ["root", "-c", "id -u"], "sudo": ["-n", "id", "-u"], "pkexec": ["id", "-u"], "mount": ["-t", "tmpfs", "none", "/tmp"], "umount": ["/app"]}
if path is None: print(json.dumps("missing"))
else:
    done = subprocess.run([path, *attempts.get(inputs()["program"], [])], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=10)
    print(json.dumps([done.returncode != 0, done.stdout, os.statvfs(path).f_flag & os.ST_NOSUID != 0]))
`,
        {},
        { program },
      );
      if (found !== 'missing') expect(found).toEqual([true, '', true]);
    },
  );

  it('finds no setuid program that the kernel would honour', async () => {
    const found = await attacker.findings(SETUID_PROGRAMS);
    expect(found).toEqual([]);
  });

  it('gains nothing from a setuid bit that it sets itself', async () => {
    const found = await attacker.findings(OWN_SETUID);
    expect(found).toBe('1000 True');
  });

  it('stays confined in a program executed from memory', async () => {
    const found = await attacker.findings(`
try: copy = os.memfd_create("python", 0)
except OSError: copy = os.open("/tmp/python", os.O_RDWR | os.O_CREAT, 0o755)
os.write(copy, open(os.path.realpath("/proc/self/exe"), "rb").read())
readable = os.open("/proc/self/fd/%d" % copy, os.O_RDONLY); os.close(copy)
code = "import ctypes, errno; c = ctypes.CDLL(None, use_errno=True); c.unshare(0x10000000); print(errno.errorcode[ctypes.get_errno()])"
print(subprocess.run(["python3", "-c", code], executable="/proc/self/fd/%d" % readable, pass_fds=[readable], capture_output=True, text=True).stdout.strip())
`);
    expect(found).toBe('EPERM');
  });
});

describe('devices', () => {
  it.each([
    ['memory', 'S_IFCHR', 1, 1],
    ['the null device', 'S_IFCHR', 1, 3],
    ['a terminal', 'S_IFCHR', 5, 0],
    ['a disk', 'S_IFBLK', 8, 0],
    ['a loop device', 'S_IFBLK', 7, 0],
    ['FUSE', 'S_IFCHR', 10, 229],
    ['KVM', 'S_IFCHR', 10, 232],
  ])('none can be made for %s', async (_, kind, major, minor) => {
    const answer = await attacker.findings(
      `print(json.dumps([refusal(os.mknod, folder + "/device", stat.${kind} | 0o666, os.makedev(${major}, ${minor})) for folder in ("/tmp", "/outputs", "/dev/shm")]))`,
    );
    expect(answer).toEqual(['EPERM', 'EPERM', 'EPERM']);
  });

  it('there are only the harmless', async () => {
    expect(await attacker.findings('print(json.dumps(sorted(os.listdir("/dev"))))')).toEqual(
      expect.arrayContaining(['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'urandom']),
    );
    const odd = await attacker.findings(`
known = {"null", "full", "random", "urandom", "zero"}
print(json.dumps([name for name in os.listdir("/dev") if name not in known and not os.path.islink("/dev/" + name) and not os.path.isdir("/dev/" + name)]))
`);
    expect(odd).toEqual([]);
  });

  it('cannot be changed', async () => {
    const answers = await attacker.findings(
      'print(json.dumps([refusal(os.chmod, "/dev/null", 0o777), refusal(os.unlink, "/dev/null"), refusal(os.symlink, "/tmp", "/dev/tmp")]))',
    );
    for (const answer of answers) expect(answer).toMatch(/^E(PERM|ROFS|ACCES)$/);
  });
});
