import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';

import { describe, expect, inject, it } from 'vitest';

import { compose, graceSeconds } from './support/compose.js';
import { engine, tryIn } from './support/container.js';

const MOST_BYTES = 450_000_000;
const DRAIN_SECONDS = 60;
/** For scripts that ignore SIGTERM, which get 5 s more, and for closing connections. */
const AFTER_DRAIN_SECONDS = 15;

const inspect = async (format: string): Promise<string> =>
  engine().docker(['image', 'inspect', `--format=${format}`, inject('image')]);

describe('the image', () => {
  it('has 450 MB at most', async () => {
    expect(Number(await inspect('{{.Size}}'))).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('runs as an ordinary user, and has a health check', async () => {
    expect(await inspect('{{.Config.User}}')).toBe('1000:1000');
    expect(await inspect('{{json .Config.Healthcheck.Test}}')).toContain('healthcheck.mjs');
    expect((await tryIn(['id', '-u'])).stdout).toBe('1000\n');
  });

  it('has what scripts need, and nothing to compile with', async () => {
    const names = ['node', 'npm', 'python3', 'bwrap', 'cc', 'gcc', 'ld', 'make'];
    const { stdout } = await tryIn([
      'sh',
      '-c',
      `for n in ${names.join(' ')}; do command -v $n; done; python3 -m pip --version`,
    ]);
    expect(stdout).toMatch(/^\S+\/node\n\S+\/npm\n\S+\/python3\n\S+\/bwrap\npip .*\n$/);
  });

  it('brings the profile that a kubelet takes, for those who place it on nodes', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['deploy/kubelet-seccomp.mjs']);
    expect((await tryIn(['cat', 'seccomp.json'])).stdout).toBe(stdout);
  });

  it('brings the guide, which the service shows', async () => {
    const { stdout } = await tryIn(['ls', 'dist/docs/guide']);
    expect(stdout.trim().split('\n')).toEqual(readdirSync('docs/guide').sort());
  });

  it('keeps no cache, no configuration of a registry and no source', async () => {
    const everywhere =
      'find / -xdev \\( -name .npmrc -o -name _cacache -o -name "launcher.h" -o -name "*.ts" -o -name .env \\) -print';
    const { stdout } = await engine().attempt([
      ...['run', '--rm', '--user=0', '--network=none', inject('image'), 'sh', '-c'],
      `${everywhere}; ls /root /run/secrets /build`,
    ]);
    const found = stdout.split('\n').filter((line) => line.startsWith('/') && !line.endsWith(':'));
    expect(found.filter((path) => !path.startsWith('/usr/local/lib/node_modules/npm/'))).toEqual([]);
    const history = await engine().docker([
      'history',
      '--no-trunc',
      '--format={{.CreatedBy}}',
      inject('image'),
    ]);
    expect(history).not.toMatch(/_auth|https?:/);
  });

  it('has nowhere to write but /tmp and its data', async () => {
    const places = ['/', '/app', '/etc', '/usr/bin', '/home', '/var', '/tmp', '/data'];
    const { stdout } = await tryIn([
      'sh',
      '-c',
      `for p in ${places.join(' ')}; do touch $p/x 2>/dev/null && echo $p; done`,
    ]);
    expect(stdout).toBe('/tmp\n/data\n');
  });

  it('shares no right with root', async () => {
    const { stdout } = await tryIn(['grep', '-E', '^(Cap|NoNewPrivs|Seccomp:)', '/proc/self/status']);
    const status = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(':\t')),
    );
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status[set]).toBe('0000000000000000');
    expect(status).toMatchObject({ NoNewPrivs: '1', Seccomp: '2' });
  });
});

describe('compose.yaml', () => {
  const { api, worker, postgres, valkey, s3 } = compose.services;

  it('gives no service a privilege', () => {
    const text = JSON.stringify(compose);
    for (const word of ['privileged', 'cap_add', 'devices', 'pid', 'userns_mode', 'docker.sock'])
      expect(text).not.toContain(`"${word}"`);
    for (const service of [api, worker]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(service.security_opt).toEqual(
        expect.arrayContaining(['no-new-privileges', 'seccomp=deploy/seccomp.json']),
      );
    }
  });

  it('waits longer for a stop than running scripts may take', () => {
    for (const service of [api, worker])
      expect(graceSeconds(service)).toBeGreaterThanOrEqual(DRAIN_SECONDS + AFTER_DRAIN_SECONDS);
  });

  it('has an API, two workers and a database, and the rest where it is asked for', () => {
    expect(api.environment['GATEHOUSE_ROLE']).toBe('api');
    expect(worker.environment['GATEHOUSE_ROLE']).toBe('worker');
    expect(worker['deploy']).toEqual({ replicas: 2 });
    expect([postgres, valkey, s3].map((service) => service['profiles'])).toEqual([
      undefined,
      ['valkey'],
      ['s3'],
    ]);
  });
});
