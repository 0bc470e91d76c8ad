import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, ordinaryHome } from './test/ordinary-user.js';

const SCRIPT = `
import { callOf, Sandbox } from './lib/index.js';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
const sandbox = await Sandbox.open();
const writableApp = { maxBytes: 8 << 20, maxFiles: 1000 };
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
  deep: await run('umask 077; mkdir -p $(printf "x/%.0s" {1..700}); sleep 60', { app: process.cwd() + '/build', writableApp }),
  emptied: await run('ls -A', { app: process.cwd() + '/build' }),
  node: await run('', { argv: callOf(['node', 'called.mjs'], { inputs: '/app/inputs.json' }) }),
  python: await run('', { argv: callOf(['python3', 'called.py'], { inputs: '/app/inputs.json' }) }),
  timeout: await run('trap "" TERM; sleep 60; sleep 60', { timeoutMs: 200, graceMs: 200 }),
};
const lost = sandbox.run({ argv: ['bash', '-c', 'umask 077; mkdir -p d/e; echo x > d/e/f; echo made; sleep 60'], env: {}, app: process.cwd() + '/build', timeoutMs: 60000, writableApp });
await once(lost.stdout, 'data');
const busy = setInterval(() => undefined, 1000);
execFileSync('pkill', ['-KILL', '-P', process.pid, '-x', 'launcher']);
results.lost = { stderr: await lost.exited.catch((error) => error.name), files: readdirSync('build') };
clearInterval(busy);
await sandbox.close();
console.log(JSON.stringify(results));
`;

interface Result {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  files: string[];
  refusedPorts: { port: number; attempts: number }[];
}

describe.each([
  { title: 'has ids that the system gave to it', withGivenIds: true, forOthers: 0o044 },
  { title: 'has no ids but its own', withGivenIds: false, forOthers: 0 },
])(
  'the sandbox of an ordinary user in a home that nobody else may enter, who $title',
  ({ withGivenIds, forOthers }) => {
    let home: Home;
    let results: Record<string, Result> & { limits: string };

    beforeAll(() => {
      const directory = { mode: 0o700 | forOthers | (forOthers >> 2) };
      const secret = { mode: 0o600 | forOthers, text: 'mine\n' };
      const readable = (text: string): { mode: number; text: string } => ({ ...secret, text });
      const files = {
        app: directory,
        build: { mode: 0o700 },
        'app/secret.txt': secret,
        'app/inputs.json': readable('{"a":1}'),
        'app/called.mjs': readable('export default ({ a }) => { console.log("printed"); return a; };'),
        'app/called.py': readable('def main(inputs, run):\n    print("printed")\n    return inputs["a"]'),
      };
      home = ordinaryHome(files, withGivenIds);
      results = home.run(SCRIPT) as typeof results;
    });
    afterAll(() => home.remove());

    it('says which limits it has', () => expect(results.limits).toMatch(/^(reduced|cgroup-v2)$/));

    it('runs commands', () =>
      expect(results['app']).toMatchObject({ code: 4, stdout: 'mine\n1000\n', stderr: '' }));

    it('reads outputs whose permissions the script has taken away', () =>
      expect(results['closed']?.files.sort()).toEqual(['d/g=y\n', 'f=x\n']));

    it.each(['node', 'python'])('calls a function that a file of %s exports', (name) =>
      expect(results[name]).toMatchObject({ code: 0, stdout: '1', stderr: 'printed\n' }),
    );

    it('hides the host', () => {
      expect(results['shadow']).toMatchObject({ stdout: '0\n', code: 0 });
      expect(results['home']?.stdout).toMatch(
        /No such file or directory\n.*No such process\n.*Read-only file system\n$/,
      );
    });

    it('has egress for boxes with hosts', () => {
      expect(results['network']?.stdout).toBe('from 443\nfrom 8443\n-----BEGIN CERTIFICATE-----');
      expect(results['network']?.stderr.match(/Connection refused/g)).toHaveLength(2);
      expect(results['network']?.refusedPorts).toEqual([{ port: 80, attempts: 1 }]);
    });

    it('lets builds write, and takes back what they wrote', () => {
      expect(results['build']).toMatchObject({ code: 0, stderr: '', appOverflow: null });
      expect(results['built']).toMatchObject({ code: 1, stdout: 'built\nd\n' });
      expect(results['large']).toMatchObject({ stderr: '', signal: 'SIGKILL', appOverflow: 'bytes' });
      expect(results['deep']).toMatchObject({ signal: 'SIGKILL', appOverflow: 'depth' });
      expect(results['emptied']).toMatchObject({ code: 0, stdout: '' });
    });

    it('removes what a build has left whose launcher was killed', () =>
      expect(results['lost']).toEqual({ stderr: 'BoxLostError', files: [] }));

    it('kills what ignores SIGTERM', () =>
      expect(results['timeout']).toMatchObject({ signal: 'SIGKILL', timedOut: true }));
  },
);
