import { beforeAll, describe, expect, it } from 'vitest';

import type { Client } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, newVersion, python, type TestScript } from '../support/scripts.js';

const HOUR_MS = 3_600_000;

let api: Client;
let script: TestScript;

beforeAll(async () => {
  const workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
  script = await python(api, 'print(1)');
});

describe('a number of seconds', () => {
  it('of a version may be a text, and is kept as a number', async () => {
    const handled = { handler: true, inputSchema: { properties: {} }, command: 'python3 main.py' };
    const version = await newVersion(
      api,
      script.slug,
      { 'main.py': 'def main(): return 1' },
      {
        ...handled,
        timeout: '2m',
        retry: { attempts: 2, delay: '90s', maxDelay: '2h' },
        debounce: { wait: '1m', maxWait: '1h' },
        keep: { idleSeconds: '5m' },
        hosts: [{ host: 'db.example.com', protocol: 'postgres', postgres: { statementTimeout: '1m' } }],
      },
    );
    expect(version).toMatchObject({
      timeoutSeconds: 120,
      retry: { delay: 90, maxDelay: 7200 },
      debounce: { wait: 60, maxWait: 3600 },
      keep: { idleSeconds: 300 },
    });
    expect(JSON.stringify(version)).toContain('"statementTimeout":60');
  });

  it.each([
    [{ timeout: '1d' }, 'timeout'],
    [{ timeout: '90' }, 'timeout'],
    [{ timeout: '1w' }, 'timeout'],
    [{ retry: { attempts: 2, delay: '2d' } }, 'retry.delay'],
    [{ retry: { attempts: 2, delay: '1m 30s' } }, 'retry.delay'],
    [{ debounce: { wait: '2h' } }, 'debounce.wait'],
  ])('is refused where it is too long or no such text: %j', async (fields, path) => {
    const { status, body } = await api.post(`/v1/scripts/${script.slug}/versions`, {
      archive: await archiveOf({ 'main.py': '' }),
      ...fields,
    });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe(path);
  });

  it('of a hook, an alert and a search may be a text', async () => {
    await api.put('/v1/workspace/secrets/SIGNED', { value: 'whsec_c2VjcmV0', hosts: ['a.example'] });
    const verify = { scheme: 'stripe', secret: 'SIGNED', tolerance: '10m' };
    const hook = await api.post(`/v1/scripts/${script.slug}/hooks`, { name: 'Times', verify });
    expect(hook.body, hook.text).toMatchObject({ verify: { tolerance: 600 } });
    const times = {
      slow: { seconds: '2m' },
      groupSeconds: '10m',
      notSucceededFor: 7200,
      script: script.slug,
    };
    const alert = await api.post('/v1/alerts', {
      name: 'Times',
      ...times,
      destination: { channel: 'webhook', url: 'https://example.com/hook' },
    });
    expect(alert.body, alert.text).toMatchObject({
      slow: { seconds: 120 },
      groupSeconds: 600,
      notSucceededFor: '2h',
    });
    expect((await api.get('/v1/runs?minSeconds=5m')).body).toMatchObject({ items: [] });
    expect((await api.get('/v1/runs?minSeconds=5x')).status).toBe(400);
  });
});

describe('a run', () => {
  it('starts and expires as long from now as it says', async () => {
    const before = Date.now();
    const run = await api.post(`/v1/scripts/${script.slug}/runs`, { startAt: '2h', expiresAt: '1d' });
    expect(run.body, run.text).toMatchObject({ phase: 'delayed' });
    const { startAt, expiresAt } = run.body as Record<string, string>;
    expect(Date.parse(startAt!)).toBeGreaterThanOrEqual(before + 2 * HOUR_MS);
    expect(Date.parse(expiresAt!) - Date.parse(startAt!)).toBe(22 * HOUR_MS);
    await api.post(`/v1/runs/${run.body.id as string}/cancel`);
  });

  it.each([
    ['startAt', { startAt: '999999d' }],
    ['startAt', { startAt: 'tomorrow' }],
    ['expiresAt', { startAt: '2h', expiresAt: '1h' }],
  ])('is refused at %s: %j', async (path, fields) => {
    const { status, body } = await api.post(`/v1/scripts/${script.slug}/runs`, fields);
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe(path);
  });
});
