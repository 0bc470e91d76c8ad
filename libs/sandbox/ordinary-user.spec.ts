import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileInto } from './test/compiled.js';

const UID = 12345;

const SCRIPT = `
import { Sandbox } from './lib/index.js';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
const sandbox = await Sandbox.open();
const writableApp = { maxBytes: 8 << 20, maxFiles: 100 };
const run = async (script, options = {}) => {
  const box = sandbox.run({ argv: ['bash', '-c', script], env: {}, app: process.cwd() + '/app', timeoutMs: 20000, ...options });
  box.network.then((network) => network?.servers.forEach(({ port, handle }) => createServer((socket) => socket.end('from ' + port + '\\n')).listen(handle)));
  const [stdout, stderr, exit] = await Promise.all([text(box.stdout), text(box.stderr), box.exited]);
  const files = [];
  for await (const file of box.outputs()) files.push(file.path + '=' + (await text(file.open())));
  await box.dispose();
  return { ...exit, stdout, stderr, files };
};
const results = {
  limits: sandbox.limits,
  app: await run('cat secret.txt; id -u; exit 4'),
  closed: await run('echo x > /outputs/f; chmod 000 /outputs/f; mkdir /outputs/d; echo y > /outputs/d/g; chmod 000 /outputs/d /outputs'),
  shadow: await run('cat /etc/shadow; cat /proc/1/environ | wc -c'),
  home: await run('ls -A ' + process.cwd() + ' 2>&1; kill -0 ' + process.pid + ' 2>&1; touch /app/x 2>&1'),
  network: await run('cat < /dev/tcp/api.example.com/443; cat < /dev/tcp/127.0.0.1/8443; cat < /dev/tcp/127.0.0.1/80; cat /etc/ssl/cert.pem', {
    network: { ports: [8443], names: ['api.example.com'], caPem: '-----BEGIN CERTIFICATE-----' },
  }),
  build: await run('umask 077; mkdir d; echo built > d/f; chmod 000 d/f d; mkfifo fifo', { app: process.cwd() + '/build', writableApp }),
  built: await run('cat d/f; ls; touch x', { app: process.cwd() + '/build' }),
  large: await run('mkdir d2; yes | head -c 5M > d2/f; yes | head -c 5M > d2/g; chmod 000 d2; sleep 60', { app: process.cwd() + '/build', writableApp }),
  emptied: await run('ls -A', { app: process.cwd() + '/build' }),
  timeout: await run('trap "" TERM; sleep 60; sleep 60', { timeoutMs: 200, graceMs: 200 }),
};
await sandbox.close();
console.log(JSON.stringify(results));
`;

interface Result {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  files: string[];
}

describe.runIf(process.getuid?.() === 0)(
  'the sandbox of an ordinary user, in a home that nobody else may enter',
  () => {
    const home = mkdtempSync(join(tmpdir(), 'sandbox-home-'));
    let results: Record<string, Result> & { limits: string };

    beforeAll(() => {
      compileInto(join(home, 'lib'));
      mkdirSync(join(home, 'app'), { mode: 0o700 });
      mkdirSync(join(home, 'build'), { mode: 0o700 });
      writeFileSync(join(home, 'app/secret.txt'), 'mine\n', { mode: 0o600 });
      writeFileSync(join(home, 'main.js'), SCRIPT);
      writeFileSync(join(home, 'package.json'), '{"type":"module"}');
      for (const name of ['', ...(readdirSync(home, { recursive: true }) as string[])])
        chownSync(join(home, name), UID, UID);
      chmodSync(home, 0o700);
      const { stdout, stderr } = spawnSync(process.execPath, ['main.js'], {
        cwd: home,
        uid: UID,
        gid: UID,
        env: { PATH: '/usr/bin:/bin', TMPDIR: home },
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      results = JSON.parse(stdout) as typeof results;
    });
    afterAll(() => rmSync(home, { recursive: true }));

    it('says which limits it has', () => expect(results.limits).toMatch(/^(reduced|cgroup-v2)$/));

    it('runs commands', () =>
      expect(results['app']).toMatchObject({ code: 4, stdout: 'mine\n1000\n', stderr: '' }));

    it('reads outputs whose permissions the script has taken away', () =>
      expect(results['closed']?.files.sort()).toEqual(['d/g=y\n', 'f=x\n']));

    it('hides the host', () => {
      expect(results['shadow']).toMatchObject({ stdout: '0\n', code: 0 });
      expect(results['home']?.stdout).toMatch(
        /No such file or directory\n.*No such process\n.*Read-only file system\n$/,
      );
    });

    it('has egress for boxes with hosts', () => {
      expect(results['network']?.stdout).toBe('from 443\nfrom 8443\n-----BEGIN CERTIFICATE-----');
      expect(results['network']?.stderr.match(/Connection refused/g)).toHaveLength(2);
    });

    it('lets builds write, and takes back what they wrote', () => {
      expect(results['build']).toMatchObject({ code: 0, stderr: '', appOverflow: null });
      expect(results['built']).toMatchObject({ code: 1, stdout: 'built\nd\n' });
      expect(results['large']).toMatchObject({ stderr: '', signal: 'SIGKILL', appOverflow: 'bytes' });
      expect(results['emptied']).toMatchObject({ code: 0, stdout: '' });
    });

    it('kills what ignores SIGTERM', () =>
      expect(results['timeout']).toMatchObject({ signal: 'SIGKILL', timedOut: true }));
  },
);
