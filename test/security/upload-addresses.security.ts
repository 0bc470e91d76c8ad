import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, said } from '../support/mcp.js';
import { inApp, newMember } from '../support/people.js';

const UPLOADS = '/v1/files/uploads';
const NOT_OPEN = /^This address is not valid, was used before, or is older than 15 minutes\./;
const NOT_ALLOWED = 'Whoever asked for this address may not upload files there any more.';

let workspace: TestWorkspace;
/** From where a test's files are sent. */
let home: string;
let api: Client;

beforeEach(async () => {
  workspace = await newWorkspace();
  home = anAddress();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

const anAddress = (): string => `10.7.${randomInt(256)}.${randomInt(256)}`;

const addressFor = async (maxBytes = 1000, by = api): Promise<string> => {
  const { status, body, text } = await by.post(UPLOADS, { name: 'a.txt', maxBytes });
  expect(status, text).toBe(201);
  return body.uploadUrl as string;
};

async function send(
  address: string,
  body: string | Buffer = 'hello',
  from = home,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(address, { method: 'PUT', body, headers: { 'x-forwarded-for': from } });
  return { status: response.status, body: (await response.json()) as Json };
}

const refused = async (address: string, words: string | RegExp, body?: string | Buffer): Promise<void> => {
  const answer = await send(address, body);
  expect(answer.status).toBe(403);
  expect(answer.body.error.code).toBe('forbidden');
  expect(answer.body.error.message).toMatch(words);
};

const files = async (): Promise<number> =>
  (await database().query('SELECT count(*)::int AS n FROM files WHERE workspace_id = $1', [workspace.id]))
    .rows[0].n as number;

/** What other tests leave there is theirs: some break off on purpose. */
let strayBefore: ReadonlySet<string>;
beforeEach(async () => void (strayBefore = new Set(await blobsWithoutFile())));

/** Bytes of this test that are in the store, or on their way into it, under files of no record. */
async function strayBytes(): Promise<string[]> {
  return (await blobsWithoutFile()).filter((key) => !strayBefore.has(key));
}

async function blobsWithoutFile(): Promise<string[]> {
  const { rows } = await database().query<{ key: string }>(
    `SELECT b.key FROM file_blobs b WHERE NOT EXISTS (SELECT FROM files f WHERE f.blob_key = b.key)`,
  );
  return rows.map(({ key }) => key);
}

/** A request whose body is written by hand. */
function slowly(address: string, headers: Record<string, string>) {
  const sent = request(address, { method: 'PUT', headers });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  return sent;
}

/** Until the address is used up, so that its bytes are being waited for. */
async function begun(address: string): Promise<void> {
  const id = new URL(address).pathname.split('/').at(-1);
  for (;;) {
    const { rowCount } = await database().query('SELECT FROM upload_addresses WHERE id = $1', [id]);
    if (rowCount === 0) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}

describe('an address to which a file is sent', () => {
  it('is good once, also where many use it at once', async () => {
    const address = await addressFor();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 11 }, () => 403),
    ]);
    await refused(address, NOT_OPEN);
    expect(await files()).toBe(1);
  });

  it('is good for its time', async () => {
    const address = await addressFor();
    const id = new URL(address).pathname.split('/').at(-1);
    const set = `UPDATE upload_addresses SET expires_at = now() - interval '1 second' WHERE id = $1`;
    await database().query(set, [id]);
    await refused(address, NOT_OPEN);
    expect(await files()).toBe(0);
  });

  it('is opened by its own token alone', async () => {
    const [one, two] = [new URL(await addressFor()), new URL(await addressFor())];
    const swapped = new URL(one);
    swapped.search = two.search;
    await refused(swapped.href, NOT_OPEN);
    const shortened = one.href.slice(0, -1);
    await refused(shortened, NOT_OPEN);
    await refused(`${baseUrl()}${UPLOADS}/upl_0000000000000000000000000${one.search}`, NOT_OPEN);
    const nothing = await send(`${baseUrl()}${one.pathname}`);
    expect(nothing.status).toBe(400);
    const twice = await send(`${one.href}&token=${two.searchParams.get('token')}`);
    expect(twice.status).toBe(400);
    expect((await send(one.href)).status).toBe(201);
  });

  it('is guessed by nobody: tries count for where they come from, and keep nobody else out', async () => {
    const address = await addressFor();
    const wrong = `${baseUrl()}${UPLOADS}/upl_0000000000000000000000000?token=x`;
    const from = anAddress();
    const answers: number[] = [];
    // One more is given back each second.
    for (let time = 0; time < 80 || !answers.includes(429); time++)
      answers.push((await send(time % 2 ? wrong : `${address}x`, 'a', from)).status);
    expect(answers[0]).toBe(403);
    // Who sends to a good one is never refused for where they are.
    expect((await send(address, 'hello', from)).status).toBe(201);
    expect((await send(wrong, 'a')).status).toBe(403);
  });

  it('is one of a hundred at most that a credential has open, also where they are asked for at once', async () => {
    const asked = await Promise.all(
      Array.from({ length: 130 }, () => api.post(UPLOADS, { name: 'a.txt', maxBytes: 1 })),
    );
    const made = asked.filter(({ status }) => status === 201);
    expect(made).toHaveLength(100);
    const refusedOnes = asked.filter(({ body }) => body.error?.code === 'quota_exceeded');
    expect(refusedOnes).toHaveLength(30);
    expect((await send(made[0]!.body.uploadUrl as string, 'a')).status).toBe(201);
    expect((await api.post(UPLOADS, { name: 'a.txt', maxBytes: 1 })).status).toBe(201);
    expect((await api.post(UPLOADS, { name: 'a.txt', maxBytes: 1 })).status).toBe(403);
  });

  it('stores in its own workspace, whoever else sends to it with whatever headers', async () => {
    const other = await newWorkspace();
    const address = await addressFor();
    const response = await fetch(address, {
      method: 'PUT',
      body: 'hello',
      headers: {
        authorization: `Bearer ${other.owner.token}`,
        'x-workspace': other.slug,
        'x-environment': 'staging',
      },
    });
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as Json;
    expect((await api.get(`/v1/files/${id}`)).status).toBe(200);
    const theirs = client({ token: other.owner.token, workspace: other.slug });
    expect((await theirs.get(`/v1/files/${id}`)).status).toBe(404);
  });

  it('takes no more bytes than were said, however their number is told', async () => {
    const told = await addressFor(1000);
    expect((await send(told, 'x'.repeat(1001))).status).toBe(413);
    // Nothing was read of it, so that it is still good.
    expect((await send(told, 'x'.repeat(1000))).status).toBe(201);
    const address = await addressFor(1000);
    const chunked = slowly(address, { 'transfer-encoding': 'chunked' });
    chunked.end('x'.repeat(1001));
    const [response] = (await once(chunked, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    response.resume();
    await refused(address, NOT_OPEN);
    expect(await files()).toBe(1);
    await expect.poll(strayBytes).toEqual([]);
  });

  it('leaves nothing of a file that breaks off half-way, and is used up', async () => {
    const address = await addressFor(1_000_000);
    const half = slowly(address, { 'content-length': '1000000' });
    half.write(randomBytes(500_000));
    await begun(address);
    half.destroy();
    await refused(address, NOT_OPEN);
    await expect.poll(strayBytes).toEqual([]);
    expect(await files()).toBe(0);
  });

  it('is worth nothing once the app is disconnected, also while its bytes are on their way', async () => {
    const agent = await workspace.owner.agent();
    const mcp = await mcpClient(agent);
    const ask = async (): Promise<string> =>
      said(await mcp.callTool({ name: 'upload_file', arguments: { name: 'a.txt', maxBytes: 1000 } }))
        .structured.uploadUrl as string;
    const [before, meanwhile] = [await ask(), await ask()];
    await mcp.close();
    const slow = slowly(meanwhile, { 'content-length': '10' });
    slow.write('hello');
    await begun(meanwhile);
    const owner = inApp(workspace.owner, workspace);
    const apps = (await owner.get('/v1/account/apps')).body.items as Json[];
    expect((await owner.delete(`/v1/account/apps/${apps[0]!.id}`)).status).toBe(204);
    slow.end('world');
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(403);
    response.resume();
    await refused(before, NOT_ALLOWED);
    expect(await files()).toBe(0);
    await expect.poll(strayBytes).toEqual([]);
  });

  it('is worth nothing once its person has left, or its key or token has gone', async () => {
    const { person, id } = await newMember(workspace, 'member');
    const theirs = await addressFor(1000, client({ token: person.token, workspace: workspace.slug }));
    await inApp(workspace.owner, workspace).delete(`/v1/workspace/members/${id}`);
    await refused(theirs, NOT_ALLOWED);
    const key = await addressFor(1000, client({ token: await workspace.apiKey() }));
    await database().query('UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1', [workspace.id]);
    await refused(key, NOT_ALLOWED);
    expect(await files()).toBe(0);
  });

  it('is no way into a workspace or an environment that has taken the name of another', async () => {
    const address = await addressFor();
    await database().query('UPDATE upload_addresses SET workspace_id = $2 WHERE workspace_id = $1', [
      workspace.id,
      (await newWorkspace()).id,
    ]);
    await refused(address, NOT_ALLOWED);
  });

  it('is for those who may upload files, and opens nothing else', async () => {
    const reads = client({
      token: await workspace.owner.tokenWith({ scopes: ['files:read'] }),
      workspace: workspace.slug,
    });
    expect((await reads.post(UPLOADS, { name: 'a.txt', maxBytes: 1 })).status).toBe(403);
    const address = new URL(await addressFor());
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH'])
      expect([404, 405]).toContain((await fetch(address, { method })).status);
    const token = address.searchParams.get('token')!;
    expect((await client({ token, workspace: workspace.slug }).get('/v1/files')).status).toBe(401);
  });
});
