import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, inject, it } from 'vitest';

import { BASE_IMAGE } from './support/base-image.js';
import { registryOptions } from './support/machine-registries.js';

const MINUTE_MS = 60_000;

it(
  'is made of the last commit, and everything in it works in an empty place',
  async () => {
    const { directory, client } = inject('engine');
    const secrets = await mkdtemp(join(tmpdir(), 'gatehouse-release-test-'));
    try {
      const registries = await registryOptions(secrets);
      const options = ['--network=host', `--build-arg=BASE=${BASE_IMAGE}`, ...registries];
      const { stdout } = await promisify(execFile)('npm', ['run', 'release', '--', ...options], {
        env: {
          ...process.env,
          PATH: `${dirname(client)}:${process.env['PATH']}`,
          DOCKER_HOST: `unix://${join(directory, 'socket')}`,
          DOCKER_CONFIG: join(directory, 'client'),
        },
        maxBuffer: 2 ** 26,
      });
      const made = /made and tried: (.*)\n$/.exec(stdout)?.[1];
      expect(made).toBeDefined();
      // Of a base that stands in for the right one, and is another one the next time.
      await rm(made!, { recursive: true });
    } finally {
      await rm(secrets, { recursive: true });
    }
  },
  30 * MINUTE_MS,
);
