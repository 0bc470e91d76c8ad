import { archiveOf, type HttpsServer, startGatehouse, startHttpsServer } from '@gatehouse/testing';
import type { Client, TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { VaultSecretsExtension, VaultSettings } from './vault-secrets.extension.js';

const TOKEN = 'hvs.of-the-test';
/** Sends a request with the key that it never sees, and prints what the other side got. */
const SCRIPT = `
import os, urllib.request
request = urllib.request.Request(open('url').read())
print(urllib.request.urlopen(request).read().decode(), 'and the script has', os.environ['STRIPE_KEY'])
`;

describe('secrets that Vault has', () => {
  /** What is in Vault, by path. */
  const kept = new Map<string, Record<string, string>>();
  const seen: (string | undefined)[] = [];
  let vault: HttpsServer;
  let api: HttpsServer;
  let gatehouse: TestGatehouse;
  let owner: Client;

  beforeAll(async () => {
    vault = await startHttpsServer((request, response) => {
      const data = kept.get(request.url!.replace('/v1/secret/data/', ''));
      const status = request.headers['x-vault-token'] !== TOKEN ? 403 : data ? 200 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(data ? { data: { data, metadata: { version: 1 } } } : { errors: [] }));
    });
    api = await startHttpsServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(`I got ${request.headers.authorization}`);
    });
    gatehouse = await startGatehouse({
      extensions: [VaultSecretsExtension.for(new VaultSettings(vault.url, TOKEN, vault.ca))],
      env: { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1' },
      runsScripts: true,
    });
    owner = gatehouse.api.as(gatehouse.workspace.owner.token);
  });

  afterAll(async () => {
    await gatehouse?.stop();
    await Promise.all([vault?.close(), api?.close()]);
  });

  const put = (fields: object) =>
    owner.put('/v1/workspace/secrets/STRIPE_KEY', { source: 'vault_secrets', hosts: [api.host], ...fields });
  const keep = (key: string) =>
    kept.set(`gatehouse/${gatehouse.workspace.id}/production/payments/stripe`, { key });
  const run = async () => (await owner.post('/v1/scripts/charge/runs', { inputs: {} })).body;

  it('are named, and not stored', async () => {
    keep('sk_from_vault_1');
    const { status, body } = await put({ reference: 'payments/stripe#key' });
    expect(status).toBe(200);
    expect(body.values).toMatchObject([{ source: 'vault_secrets', reference: 'payments/stripe#key' }]);
    expect((await put({ reference: '../others#key' })).body.error.details).toEqual([
      { path: 'reference', message: 'must be a path and a field, such as payments/stripe#key' },
    ]);
  });

  it('are named by an owner or admin in person alone, who may also say to which further hosts they go', async () => {
    const { workspace, api: anybody } = gatehouse;
    const key = anybody.as(await workspace.apiKey());
    const named = { source: 'vault_secrets', hosts: [api.host] };
    const set = async (name: string, fields: object) =>
      (await key.put(`/v1/workspace/secrets/${name}`, { ...named, ...fields })).status;
    expect(await set('ANOTHER', { reference: 'payments/stripe#key' })).toBe(403);
    expect(await set('STRIPE_KEY', { reference: 'payments/other#key' })).toBe(403);
    const further = { reference: 'payments/stripe#key', hosts: [api.host, 'evil.example'] };
    expect(await set('STRIPE_KEY', further)).toBe(403);
    expect(await set('STRIPE_KEY', { reference: 'payments/stripe#key' })).toBe(200);
  });

  it('are attached to requests as they are in Vault when the run starts, and masked', async () => {
    await owner.post('/v1/scripts', { slug: 'charge', name: 'Charge' });
    await owner.post('/v1/scripts/charge/versions', {
      archive: await archiveOf({ 'main.py': SCRIPT, url: `${api.url}/charges` }),
      hosts: [api.host],
      secrets: {
        STRIPE_KEY: { hosts: [api.host], header: 'authorization', value: 'Bearer {secret}' },
      },
    });
    await owner.post('/v1/scripts/charge/publish', { version: 1 });
    const first = await run();
    keep('sk_from_vault_2');
    const second = await run();
    expect([first.status, second.status]).toEqual(['succeeded', 'succeeded']);
    expect(seen).toEqual(['Bearer sk_from_vault_1', 'Bearer sk_from_vault_2']);
    const { body: log } = await owner.get(`/v1/runs/${second.id}/log`);
    expect(JSON.stringify([first, second, log])).not.toContain('sk_from_vault');
    expect(JSON.stringify(log)).toContain('I got');
  });

  it('fail the run that needs them, in words, where Vault does not have them', async () => {
    kept.clear();
    expect(await run()).toMatchObject({
      status: 'failed',
      error: 'the secret STRIPE_KEY cannot be read from vault_secrets: Vault has nothing at payments/stripe.',
    });
  });
});
