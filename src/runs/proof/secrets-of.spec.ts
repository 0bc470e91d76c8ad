import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { secretsOf } from './secrets-of.js';

let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'));
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

describe('what no script may find', () => {
  it('are credentials of the environment, and nothing else of it', async () => {
    const environment = {
      GATEHOUSE_MASTER_KEY: 'a-master-key',
      AWS_ACCESS_KEY_ID: 'an-id',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a-header',
      DATABASE_URL: 'postgres://gatehouse:a-password@host/gatehouse',
      GATEHOUSE_BASE_URL: 'https://gatehouse.example.com',
      GATEHOUSE_AWS_SECRETS_REGION: 'eu-central-1',
      GATEHOUSE_VAULT_TOKEN_FILE: '/vault/token',
      GATEHOUSE_MODEL_KEY: '',
    };
    expect(await secretsOf({ dataDirectory }, environment)).toEqual([
      'a-master-key',
      'an-id',
      'api-key=a-header',
      'a-password',
    ]);
  });

  it('are the key and the first credentials of the data directory', async () => {
    await writeFile(join(dataDirectory, 'master.key'), 'the-key');
    const first = {
      baseUrl: 'http://localhost:3000',
      personalAccessToken: 'a-token',
      password: 'a-password',
    };
    await writeFile(join(dataDirectory, 'first-run.json'), JSON.stringify(first));
    expect(await secretsOf({ dataDirectory }, {})).toEqual(['the-key', 'a-token', 'a-password']);
  });

  it('are what is in files that the environment names for credentials, where they can be read', async () => {
    const at = (name: string): string => join(dataDirectory, name);
    await writeFile(at('token'), 'a-token-of-a-file\n');
    await writeFile(at('ca.pem'), 'an-authority');
    await writeFile(at('long'), 'x'.repeat(70_000));
    const environment = {
      GATEHOUSE_VAULT_TOKEN_FILE: at('token'),
      GATEHOUSE_VAULT_SECRET_ID_FILE: at('none'),
      GATEHOUSE_VAULT_CA_FILE: at('ca.pem'),
      AWS_SHARED_CREDENTIALS_FILE: at('long'),
    };
    const found = await secretsOf({ dataDirectory: at('empty') }, environment);
    expect(found).toEqual(['a-token-of-a-file', 'x'.repeat(65_536)]);
  });

  it('are none of a file that is cut off', async () => {
    await writeFile(join(dataDirectory, 'first-run.json'), '{"password": "a-pass');
    expect(await secretsOf({ dataDirectory }, {})).toEqual(['the-key']);
  });
});
