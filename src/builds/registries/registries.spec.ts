import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { Settings } from '../../core/config/index.js';

import { RegistryReader } from './registries.js';

const PYTHON = '/usr/bin/python3';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-registries-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

describe('the registries of this machine', () => {
  it("are the clients' own where nothing is set", async () => {
    vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
    for (const name of ['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('NPM_CONFIG_USERCONFIG', '/dev/null');
    const { access, pip, npm } = await new RegistryReader(
      new Settings({ GATEHOUSE_NODE: process.env['GATEHOUSE_NODE'] }),
    ).read(PYTHON);
    expect(pip).toMatchObject({ config: expect.stringMatching(/^index-url = https:\/\/\S+$/m) });
    expect(npm).toMatchObject({ config: expect.stringMatching(/^registry=https:\/\/\S+$/m) });
    // pip's index and its files, and npm's registry.
    expect(access.hosts).toHaveLength(3);
    expect(access.secrets).toEqual([]);
  });

  it('are those that were set, and their credentials stay with the gate', async () => {
    const userconfig = join(directory, 'npmrc');
    await writeFile(
      userconfig,
      'registry=https://npm.example.com/all/\n//npm.example.com/all/:_authToken=${A_TOKEN}\n' +
        '@team:registry=http://10.1.2.3:4873/\n//10.1.2.3:4873/:username=me\n' +
        `//10.1.2.3:4873/:_password=${Buffer.from('pass').toString('base64')}\n`,
    );
    vi.stubEnv('A_TOKEN', 'npm-secret');
    vi.stubEnv('NPM_CONFIG_USERCONFIG', userconfig);
    vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
    vi.stubEnv('PIP_INDEX_URL', 'https://py:s%40fe@py.example.com:8443/simple');
    vi.stubEnv('PIP_EXTRA_INDEX_URL', 'http://more.example.com/simple https://third.example.com/simple');
    vi.stubEnv('PIP_FIND_LINKS', '/opt/wheels https://links.example.com/');
    const { access, pip, npm } = await new RegistryReader(
      new Settings({ GATEHOUSE_NODE: process.env['GATEHOUSE_NODE'] }),
    ).read(PYTHON);
    expect(pip).toEqual({
      config: expect.stringContaining('index-url = https://py.example.com:8443/simple\n'),
    });
    expect(pip).toEqual({
      config: expect.stringContaining(
        'extra-index-url =\n    https://more.example.com/simple\n    https://third.example.com/simple\n' +
          'find-links =\n    https://links.example.com/\n',
      ),
    });
    expect(npm).toEqual({
      config:
        'registry=https://npm.example.com/all/\n@team:registry=https://mirror-6.registry.internal/\nreplace-registry-host=always\n',
    });
    expect(access.hosts).toEqual([
      'py.example.com:8443',
      'more.example.com',
      'third.example.com',
      'links.example.com',
      'npm.example.com',
      'mirror-6.registry.internal',
    ]);
    expect(access.secrets.map(({ value }) => value)).toEqual([
      `Basic ${Buffer.from('py:s@fe').toString('base64')}`,
      'Bearer npm-secret',
      `Basic ${Buffer.from('me:pass').toString('base64')}`,
    ]);
    expect(JSON.stringify([pip, npm])).not.toMatch(/s@fe|s%40fe|npm-secret|cGFzcw/);
  });

  it('says what is missing', async () => {
    const { pip } = await new RegistryReader(
      new Settings({ GATEHOUSE_NODE: process.env['GATEHOUSE_NODE'] }),
    ).read('/bin/false');
    expect(pip).toEqual({ missing: 'pip of /bin/false failed (exit code 1)' });
  });
});
