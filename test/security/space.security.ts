import { describe, expect, it } from 'vitest';

import { FILL, INODES } from '../../libs/attacks/index.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();

describe('space', () => {
  it.each([
    ['/tmp', 'ENOSPC', 256],
    ['/outputs', 'ENOSPC', 101],
    ['/dev/shm', 'ENOSPC', 64],
    ['/dev', 'EROFS', 0],
    ['/app', 'EROFS', 0],
    ['/inputs', 'EROFS', 0],
    ['', 'EROFS', 0],
  ])('in %s ends', async (path, error, mebibytes) => {
    expect(await attacker.findings(FILL, {}, { paths: [path] })).toEqual([[error, mebibytes]]);
  });

  it.each([
    ['/tmp', 100_000],
    ['/outputs', 10_000],
    ['/dev/shm', 20_000],
  ])('for inodes in %s ends long before a million', async (path, most) => {
    const [[error, count]] = await attacker.findings(INODES, {}, { paths: [path] });
    expect(error).toMatch(/^(ENOSPC|ENOMEM)$/);
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThanOrEqual(most);
  });

  it('for names in /outputs ends in a failure that says so, not in a worker that is busy for ever', async () => {
    const end = await attacker.attempt(`
os.chdir("/outputs")
try:
    for n in range(1000000): open("%d" % n, "w").close()
except OSError: pass
`);
    expect(end).toMatchObject({
      status: 'failed',
      error: 'wrote more than 100 files to /outputs',
      files: [],
    });
  });

  it('for directories in /outputs is looked through quickly', async () => {
    const end = await attacker.attempt(`
os.chdir("/outputs")
try:
    for n in range(1000000): os.mkdir("%d" % n)
except OSError: pass
`);
    expect(end).toMatchObject({ status: 'succeeded', files: [] });
  });
});

describe('descriptors', () => {
  it('10,000 open files are 1,024 at most', async () => {
    const found = await attacker.findings(`
n = 0
try:
    while n < 10000: os.open("/app/main.py", os.O_RDONLY); n += 1
    reason = "no end"
except OSError as error: reason = errno.errorcode[error.errno]
try: resource.setrlimit(resource.RLIMIT_NOFILE, (10000, 10000)); raised = "done"
except (OSError, ValueError): raised = "refused"
print(json.dumps([reason, n, raised]))
`);
    expect(found).toEqual(['EMFILE', expect.any(Number), 'refused']);
    expect(found[1]).toBeLessThan(1024);
    expect(found[1]).toBeGreaterThan(1000);
  });

  it('10,000 sockets in flight between processes are bounded, too', async () => {
    const found = await attacker.findings(`
a, b = socket.socketpair()
n = 0
a.setblocking(False)
try:
    while n < 10000:
        pair = socket.socketpair()
        socket.send_fds(a, [b"x"], [pair[0].fileno(), pair[1].fileno()]); n += 2
        pair[0].close(); pair[1].close()
    reason = "no end"
except OSError as error: reason = errno.errorcode[error.errno]
print(json.dumps([reason, n]))
`);
    expect(found[0]).toMatch(/^E(TOOMANYREFS|AGAIN|MFILE)$/);
    expect(found[1]).toBeLessThan(2000);
  });
});
