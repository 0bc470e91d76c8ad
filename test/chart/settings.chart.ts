import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { Settings } from '../../src/core/config/settings.js';
import { Release, SETS, template } from './support/chart.js';

const known = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(
  ([, name]) => name!,
);
/** The usual AWS variables, which the store's client reads by itself. */
const OF_AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
/** Of stores of secrets: each is one of two ways, so not all are given at once. */
const OF_STORES = [
  'GATEHOUSE_VAULT_TOKEN',
  'GATEHOUSE_VAULT_SECRET_ID',
  'GATEHOUSE_AWS_SECRETS_ACCESS_KEY_ID',
  'GATEHOUSE_AWS_SECRETS_SECRET_ACCESS_KEY',
];
/** Other ways to log in than by Kubernetes, and a file that is in the pod alone. */
const LEFT_OUT = /^GATEHOUSE_VAULT_(TOKEN_FILE|ROLE_ID|SECRET_ID_FILE|CA_FILE)$/;
const WHERE_IT_LISTENS = { api: 'PORT', worker: 'GATEHOUSE_WORKER_PORT' };

/** Of a provider that `GATEHOUSE_OIDC` names: its settings are in no list. */
const OF_NAMED = /^GATEHOUSE_OIDC_OLD_OKTA_/;

/** Something of the right form for each secret. */
const VALUES: Record<string, string> = {
  DATABASE_URL: 'postgres://gatehouse:secret-of-database@database.databases:5432/gatehouse',
  GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  REDIS_URL: 'redis://valkey.databases:6379',
  SMTP_URL: 'smtps://mail.example.com',
  GATEHOUSE_METRICS_TOKEN: 'a-token-for-metrics-only',
  GATEHOUSE_MODEL_KEY: 'a-key-for-models',
  GATEHOUSE_OWNER_PASSWORD: 'a-password-of-the-owner',
  GATEHOUSE_OIDC_CLIENT_SECRET: 'a-secret-of-the-provider',
  GATEHOUSE_OIDC_SCIM_TOKEN: 'a-token-of-the-directory-of-the-company',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of-the-collector',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=of-the-collector',
};

describe.each(SETS)('settings with the values of %s', (set) => {
  it.each(['api', 'worker'] as const)('are read by the %s', async (role) => {
    const { settings, secrets } = (await Release.of(set)).environment(role);
    const given = Object.fromEntries(Object.keys(secrets).map((name) => [name, VALUES[name]]));
    const together = Object.entries(settings).filter(([name]) => !LEFT_OUT.test(name));
    const read = new Settings({ ...Object.fromEntries(together), ...given });
    expect(read).toMatchObject({ role, dataDirectory: '/data' });
    expect(role === 'api' ? read.port : read.workerPort).toBe(3000);
    expect(settings).toHaveProperty(WHERE_IT_LISTENS[role]);
    expect(read.databaseUrl).toBe(VALUES['DATABASE_URL']);
    expect(read.masterKey).toHaveLength(32);
    expect(read.files.kind === 'file' ? read.files.directory : read.files.kind).toMatch(/^(\/files|s3)$/);
  });

  it('come from the secret where they are one, under their own names', async () => {
    const release = await Release.of(set);
    for (const role of ['api', 'worker'] as const) {
      const { secrets } = release.environment(role);
      for (const [key, reference] of Object.entries<object>(secrets)) {
        if (!OF_NAMED.test(key)) expect([...known, ...OF_AWS]).toContain(key);
        const optional = !['DATABASE_URL', 'GATEHOUSE_MASTER_KEY'].includes(key);
        const name = set === 'in-cluster' ? 'gatehouse.settings' : 'gatehouse';
        expect(reference).toEqual({ name, key, optional });
      }
    }
  });
});

it('can all be given', async () => {
  const release = await Release.of('every-setting');
  const [api, worker] = [release.environment('api'), release.environment('worker')];
  const given = [api, worker].flatMap(({ settings, secrets }) => [
    ...Object.keys(settings),
    ...Object.keys(secrets),
  ]);
  expect(given).toContain('GATEHOUSE_OIDC_OLD_OKTA_CLIENT_SECRET');
  expect([...new Set(given)].filter((name) => !OF_NAMED.test(name)).sort()).toEqual(
    [...known, ...OF_AWS].sort(),
  );
  const together = Object.entries(api.settings).filter(([name]) => !LEFT_OUT.test(name));
  const values = { ...Object.fromEntries(together), ...VALUES, PORT: '3000' };
  expect(new Settings(values)).toMatchObject({
    fileLinks: false,
    personalTokens: false,
    passwords: false,
    oidc: [{ id: 'company' }, { id: 'old-okta' }],
    oauthRegistration: false,
    mcpTools: 200,
    secretStores: { vault: { mount: 'kv', login: { kind: 'kubernetes' } }, aws: { region: 'eu-west-1' } },
    rateLimit: 1_000_000_000,
    rateBurst: 1_500_000,
    rateTogether: 5,
    startWaitSeconds: 60,
    diskReserveMb: 512,
    databasePool: 24,
    warmInterpreters: false,
    workspaceShare: 0.5,
    signup: 'open',
    workspacesPerPerson: 3,
  });
});

it('tell a worker nothing that only the API needs', async () => {
  const { secrets } = (await Release.of('least')).environment('worker');
  expect(secrets).not.toHaveProperty('GATEHOUSE_OWNER_PASSWORD');
  expect(secrets).not.toHaveProperty('GATEHOUSE_MODEL_KEY');
  expect(secrets).not.toHaveProperty('GATEHOUSE_OIDC_CLIENT_SECRET');
  expect(secrets).not.toHaveProperty('GATEHOUSE_OIDC_SCIM_TOKEN');
});

it.each([...Object.keys(VALUES), ...OF_AWS, ...OF_STORES])(
  'take %s from nowhere but the secret',
  async (name) => {
    const inSettings = await template('least', `settings.${name}="plain"`);
    expect(inSettings.code).toBe(1);
    expect(inSettings.stderr).toContain(name);
    const inEnvironment = await template('least', `extraEnv=[{"name":"${name}","value":"plain"}]`);
    expect(inEnvironment.code).toBe(1);
    expect(inEnvironment.stderr).toContain(`${name} is a setting`);
  },
);
