import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import {
  archiveOf,
  type HttpsServer,
  startGatehouse,
  startHttpsServer,
  type TestGatehouse,
} from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { awsProblem } from '../../libs/egress/test/aws-verifier.js';
import type { Json } from '../../libs/testing/index.js';
import { digestOf, SourcedRuns } from '../support/sourced-runs.js';

const SECRET = 'T0p-s3cret-of-the-store';
const TOKEN = 'hvs.token-of-the-test';
const METADATA = 'http://169.254.169.254/latest/meta-data/iam/security-credentials/';
const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7REALKEY',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYREALKEY40',
};

type Respond = (response: ServerResponse) => unknown;

/** How a store may respond, by the last word of what is asked of it. */
const RESPONSES: Record<string, Respond> = {
  huge: (response) => {
    const send = (): void => {
      while (response.writable && response.write('x'.repeat(65_536)));
    };
    response.on('drain', send).on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/json' });
    send();
  },
  trickle: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":');
    const timer = setInterval(() => response.write(' '), 500);
    response.on('close', () => clearInterval(timer));
  },
  silent: () => undefined,
  'breaks-off': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write(`{"data": "${SECRET}`);
    setTimeout(() => response.destroy(), 50);
  },
  redirects: (response) => response.writeHead(307, { location: METADATA }).end(),
  fails: (response) => response.writeHead(500).end(JSON.stringify({ errors: [SECRET] })),
  refuses: (response) =>
    response
      .writeHead(400, { 'x-amzn-errortype': SECRET })
      .end(JSON.stringify({ errors: [SECRET], __type: SECRET, message: SECRET })),
  'no-json': (response) => response.writeHead(200).end(`<html>${SECRET}`),
  list: (response) => response.writeHead(200).end(JSON.stringify([SECRET])),
  deep: (response) => response.writeHead(200).end(`{"data": ${'['.repeat(200_000)}`),
};

describe('a store of secrets that is hostile, or asked for what is another workspace’s', () => {
  let vault: HttpsServer;
  let aws: HttpsServer;
  let gatehouse: TestGatehouse;
  let runs: SourcedRuns;
  const seen: { path: string; token: unknown; problem?: string | null; body?: Json }[] = [];
  const printed: string[] = [];

  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    }
    vault = await startHttpsServer((request, response) => {
      const path = request.url!;
      seen.push({ path, token: request.headers['x-vault-token'] });
      const respond = RESPONSES[path.split('/').at(-1)!];
      if (respond) return void respond(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ data: { data: { key: `${SECRET} at ${path}` }, metadata: { version: 1 } } }),
      );
    });
    aws = await startHttpsServer((request, response) => void respondAsAws(request, response));
    gatehouse = await startGatehouse({
      runsScripts: true,
      env: {
        GATEHOUSE_LOG_LEVEL: 'info',
        GATEHOUSE_LOG_FORMAT: 'text',
        GATEHOUSE_VAULT_ADDRESS: vault.url,
        GATEHOUSE_VAULT_TOKEN: TOKEN,
        GATEHOUSE_AWS_SECRETS_REGION: 'eu-west-1',
        GATEHOUSE_AWS_SECRETS_ENDPOINT: aws.url,
        GATEHOUSE_AWS_SECRETS_ACCESS_KEY_ID: KEYS.accessKeyId,
        GATEHOUSE_AWS_SECRETS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      },
    });
    runs = await SourcedRuns.of(gatehouse);
  });
  beforeEach(() => void seen.splice(0));
  afterAll(async () => {
    await gatehouse?.stop();
    await Promise.all([vault?.close(), aws?.close()]);
    vi.restoreAllMocks();
  });

  const respondAsAws = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', rawHeaders } = request;
    const sent = await buffer(request);
    const body = JSON.parse(sent.toString()) as Json;
    const problem = await awsProblem({ method, url, rawHeaders, body: sent }, KEYS, 'eu-west-1');
    seen.push({ path: url, token: request.headers['x-amz-target'], problem, body });
    const respond = RESPONSES[String(body.SecretId).split('/').at(-1)!];
    if (respond) return void respond(response);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ Name: body.SecretId, SecretString: `${SECRET} at ${body.SecretId}` }));
  };

  it.each([
    ['vault', '#key', 'Vault'],
    ['aws', '', 'AWS Secrets Manager'],
  ])('ends the run in words, and holds nothing of it: %s', async (source, field, store) => {
    const expected: Record<string, RegExp> = {
      huge: /responds with more than a secret can be/,
      'breaks-off': /does not respond, or breaks off/,
      redirects: /sends on to another address, which is not followed|refuses the request \(status 307\)/,
      fails: /fails \(status 500\)|refuses the request \(status 500\)/,
      refuses: /does not give refuses \(status 400\)|refuses the request \(status 400\)/,
      'no-json': /something that is no JSON|refuses the request/,
      list: /does not give list|bytes there, which are no text|refuses the request/,
      deep: /something that is no JSON|refuses the request/,
    };
    for (const [name, words] of Object.entries(expected)) {
      const error = await runs.read(source, `${name}${field}`);
      expect(error, name).toMatch(words);
      expect(error, name).toContain(store);
      expect(error, name).not.toMatch(/s3cret|localhost|127\.0\.0\.1|\d{5}/);
    }
    expect(seen.map(({ path }) => path).join()).not.toContain('meta-data');
    expect(printed.join('')).not.toMatch(/s3cret|hvs\.|wJalrXUtnFEMI/);
  });

  it.each([
    ['vault', 'silent#key'],
    ['vault', 'trickle#key'],
    ['aws', 'silent'],
  ])('is waited for no longer than ten seconds: %s, %s', async (source, reference) => {
    expect(await runs.read(source, reference)).toMatch(
      /did not end within 10 s|does not respond, or breaks off/,
    );
  });

  it('is asked for what is in the folder of the workspace that runs, by the token and by keys that never leave', async () => {
    const id = gatehouse.workspace.id;
    const path = `/v1/secret/data/gatehouse/${id}/payments/stripe`;
    expect(await runs.read('vault', 'payments/stripe#key')).toBe(digestOf(`${SECRET} at ${path}`));
    expect(seen).toEqual([{ path, token: TOKEN }]);
    seen.splice(0);
    const name = `gatehouse/${id}/payments/stripe`;
    expect(await runs.read('aws', 'payments/stripe')).toBe(digestOf(`${SECRET} at ${name}`));
    expect(seen).toMatchObject([
      { token: 'secretsmanager.GetSecretValue', problem: null, body: { SecretId: name } },
    ]);
    const other = await gatehouse.api.as(gatehouse.workspace.owner).post('/v1/workspaces', {
      name: 'Other',
      slug: 'other',
    });
    const there = await SourcedRuns.in(gatehouse.api.as(gatehouse.workspace.owner.token, { slug: 'other' }));
    expect(await there.read('vault', 'payments/stripe#key')).toBe(
      digestOf(`${SECRET} at /v1/secret/data/gatehouse/${other.body.id}/payments/stripe`),
    );
  });

  it.each([
    '../other/stripe',
    'a/../../other/stripe',
    '%2e%2e/other/stripe',
    '..%2fother',
    '//other/stripe',
    '/v1/sys/seal',
    'a\\..\\other',
    'a?version=1',
    'a;b',
    '．．/other',
  ])('is not asked for %s', async (path) => {
    expect(await runs.problem('vault', `${path}#key`)).toMatch(/^must be a path/);
    expect(await runs.problem('aws', path)).toMatch(/^must be a path/);
    expect(seen).toEqual([]);
  });

  it('is not asked for ARNs of other workspaces and regions', async () => {
    const arn = (name: string, region = 'eu-west-1') =>
      `arn:aws:secretsmanager:${region}:123456789012:secret:${name}`;
    const folder = `gatehouse/${gatehouse.workspace.id}/`;
    expect(await runs.problem('aws', arn('gatehouse/wks_other/stripe-a1B2c3'))).toBe(
      `must be of a secret whose name begins with ${folder}`,
    );
    expect(await runs.problem('aws', arn(`${folder}../wks_other/stripe`))).toMatch(/^must be a path/);
    expect(await runs.problem('aws', arn(`${folder}stripe`, 'us-east-1'))).toBe(
      'must be of the region eu-west-1',
    );
  });

  it('is named by owners and admins in person alone', async () => {
    const { api, workspace } = gatehouse;
    const [member, key] = [await workspace.person('member'), await workspace.apiKey()];
    const body = { source: 'vault', reference: 'payments/stripe#key', hosts: ['api.example.com'] };
    const put = async (who: string) => (await api.as(who).put('/v1/workspace/secrets/NEW', body)).status;
    expect(await put(member.token)).toBe(403);
    expect(await put(key)).toBe(403);
    expect((await api.as(await workspace.person('guest')).get('/v1/workspace/secret-sources')).status).toBe(
      403,
    );
  });

  it('is open to no script, although it is at a private address', async () => {
    await runs.api.post('/v1/scripts', { slug: 'reach', name: 'Reach' });
    const code = `import urllib.request, urllib.error
try: print(urllib.request.urlopen("${vault.url}/v1/secret/data/x").status)
except urllib.error.HTTPError as error: print(error.code)`;
    await runs.api.post('/v1/scripts/reach/versions', {
      archive: await archiveOf({ 'main.py': code }),
      hosts: [vault.host],
    });
    await runs.api.post('/v1/scripts/reach/publish', { version: 1 });
    const { body } = await runs.api.post('/v1/scripts/reach/runs', { inputs: {} });
    expect(body).toMatchObject({ status: 'succeeded', output: 403 });
    expect(seen).toEqual([]);
  });
});

describe('an address of a store', () => {
  it.each([
    ['169.254.169.254', 'link-local'],
    ['100.100.100.200', 'shared by carriers'],
    ['[fd00:ec2::254]', 'private'],
  ])('that is where clouds have their metadata is not dialled: %s', async (host, kind) => {
    const gatehouse = await startGatehouse({
      runsScripts: true,
      env: { GATEHOUSE_VAULT_ADDRESS: `https://${host}`, GATEHOUSE_VAULT_TOKEN: TOKEN },
    });
    try {
      const runs = await SourcedRuns.of(gatehouse);
      expect(await runs.read('vault', 'a#key')).toBe(
        `the secret SOURCED cannot be read from vault: Vault cannot be reached: the address is not public (${kind}).`,
      );
    } finally {
      await gatehouse.stop();
    }
  });
});
