import { describe, expect, it } from 'vitest';

import { anAttacker } from './support/attack.js';

const attacker = anAttacker();

describe('what can be written', () => {
  it.each([
    '/',
    '/usr',
    '/usr/bin',
    '/usr/local/lib',
    '/etc',
    '/etc/ssl/certs',
    '/app',
    '/inputs',
    '/dev',
    '/proc',
    '/runtime/bin',
    '/var',
  ])('nothing in %s', async (path) => {
    const found = await attacker.findings(
      `
path = inputs()["path"]
print(json.dumps([refusal(open, path + "/x", "w"), refusal(os.mkdir, path + "/x"), refusal(os.symlink, "/tmp", path + "/x"), refusal(os.rmdir, path), refusal(os.rename, path, "/tmp/x")]))
`,
      {},
      { path },
    );
    for (const answer of found) expect(answer).toMatch(/^E(ROFS|PERM|ACCES|NOENT|BUSY|XDEV|INVAL|NOTEMPTY)$/);
  });

  it.each([
    '/etc/passwd',
    '/etc/hosts',
    '/etc/resolv.conf',
    '/etc/ld.so.preload',
    '/etc/ssl/certs/ca-certificates.crt',
    '/usr/bin/env',
    '/inputs/.inputs.json',
    '/proc/sys/kernel/core_pattern',
    '/proc/sys/kernel/modprobe',
    '/proc/sys/kernel/hostname',
    '/proc/sys/vm/overcommit_memory',
    '/proc/sys/user/max_user_namespaces',
    '/proc/sys/net/ipv4/ip_forward',
    '/proc/sysrq-trigger',
    '/proc/kcore',
    '/proc/kmsg',
    '/proc/irq/default_smp_affinity',
    '/proc/mtrr',
    '/sys/fs/cgroup/cgroup.procs',
    '/dev/mem',
    '/dev/kmsg',
  ])('not %s', async (path) => {
    const answer = await attacker.findings(
      'print(refusal(os.open, inputs()["path"], os.O_WRONLY))',
      {},
      { path },
    );
    expect(answer).toMatch(/^E(ROFS|PERM|ACCES|NOENT)$/);
  });

  it('not who one is, nor what one is worth to the kernel under pressure', async () => {
    const found = await attacker.findings(`
def write(path, text):
    file = os.open(path, os.O_WRONLY)
    try: os.write(file, text.encode())
    finally: os.close(file)
print(json.dumps([refusal(write, "/proc/self/" + name, text) for name, text in
  (("uid_map", "0 0 1"), ("gid_map", "0 0 1"), ("setgroups", "allow"), ("oom_score_adj", "-1000"), ("oom_score_adj", "-1"), ("oom_adj", "-17"))]
  + [refusal(write, "/proc/1/oom_score_adj", "-1000")]))
`);
    for (const answer of found) expect(answer).toMatch(/^E(PERM|ACCES|NOENT)$/);
  });

  it('the memory of the box’s first process, with no gain: it is confined as the script is', async () => {
    const [own, first] = await attacker.findings(`
def bonds(pid):
    status = dict(line.rstrip("\\n").split(":\\t", 1) for line in open("/proc/%s/status" % pid) if ":\\t" in line)
    return [{name: status[name] for name in ("Uid", "Gid", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")},
      [os.readlink("/proc/%s/ns/%s" % (pid, name)) for name in ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup")]]
print(json.dumps([bonds("self"), bonds("1")]))
`);
    expect(first).toEqual(own);
    expect(first[0]).toMatchObject({ CapEff: '0000000000000000', NoNewPrivs: '1', Seccomp: '2' });
  });
});

describe('what the kernel would tell', () => {
  it.each(['/proc/kcore', '/proc/kmsg', '/dev/mem', '/dev/kmsg', '/proc/vmallocinfo', '/proc/slabinfo'])(
    '%s is not read',
    async (path) => {
      const answer = await attacker.findings(
        `
def read(path):
    with open(path, "rb") as f: f.read(64)
print(refusal(read, inputs()["path"]))
`,
        {},
        { path },
      );
      expect(answer).toMatch(/^E(PERM|ACCES|NOENT|IO)$/);
    },
  );

  it('holds no key, and no address of the kernel’s', async () => {
    const found = await attacker.findings(`
def read(path):
    try: return open(path).read()
    except OSError: return ""
print(json.dumps([read("/proc/keys"), sorted({line.split()[0] for line in read("/proc/kallsyms").splitlines()})]))
`);
    expect(found[0]).toBe('');
    for (const address of found[1]) expect(address).toMatch(/^0+$/);
  });
});
