import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as begin } from 'node:http';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import type { Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { baseUrl, client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, inApp, INVITATIONS, MEMBERS, newMember } from '../support/people.js';
import { newSlug } from '../support/scripts.js';

interface Late {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: object;
}

/** All but the end of a request. Gives what sends the end, and the status and code of the response. */
async function begun({ method, path, headers, body }: Late, sender: Client) {
  const bytes = JSON.stringify(body);
  const outgoing: ClientRequest = begin(new URL(path, baseUrl()), {
    method,
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes), ...headers },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  await new Promise((sent) => outgoing.write(bytes.slice(0, 1), sent));
  // What was sent before has passed the guards by then.
  expect((await sender.get('/v1/workspace')).status).toBe(200);
  return async () => {
    outgoing.end(bytes.slice(1));
    const [response] = await answered;
    const answer = await text(response);
    const failed = response.statusCode! >= 400;
    return [response.statusCode, failed ? (JSON.parse(answer) as Json).error.code : undefined];
  };
}

const cookieOf = ({ cookie }: TestPerson, { slug }: TestWorkspace) => ({ cookie, 'x-workspace': slug });
const tokenOf = ({ token }: TestPerson, { slug }: TestWorkspace) => ({
  authorization: `Bearer ${token}`,
  'x-workspace': slug,
});

const CHANGES: [what: string, method: string, path: string, body: () => object][] = [
  ['takes an API key along', 'POST', '/v1/workspace/api-keys', () => ({ name: 'Mine' })],
  ['invites a friend', 'POST', INVITATIONS, () => ({ email: `${newSlug()}@example.com`, role: 'admin' })],
  ['opens an environment', 'PATCH', '/v1/workspace/environments/production', () => ({ agentsAllowed: true })],
  ['makes a script', 'POST', '/v1/scripts', () => ({ slug: newSlug(), name: 'Mine' })],
  ['keeps a file', 'POST', '/v1/files?name=kept.json', () => ({ kept: true })],
];

describe('whoever has sent the beginning of a request and waits with the rest of it', () => {
  it.each(CHANGES)('%s no more once they are out', async (_, method, path, body) => {
    const workspace = await newWorkspace();
    const owner = inApp(workspace.owner, workspace);
    const { person, id } = await newMember(workspace, 'admin');
    const headers = cookieOf(person, workspace);
    const finish = await begun({ method, path, headers, body: body() }, inApp(person, workspace));
    expect((await owner.delete(`${MEMBERS}/${id}`)).status).toBe(204);
    expect(await finish()).toEqual([403, 'forbidden']);
    expect((await owner.get('/v1/workspace/api-keys')).body.items).toEqual([]);
    expect((await owner.get(INVITATIONS)).body.items).toEqual([]);
  });

  it('acts in the role that they have by then', async () => {
    const workspace = await newWorkspace();
    const { person, id } = await newMember(workspace, 'admin');
    const request = { method: 'POST', path: '/v1/workspace/environments', body: { name: newSlug() } };
    const token = byToken(person, workspace);
    const finish = await begun({ ...request, headers: tokenOf(person, workspace) }, token);
    await inApp(workspace.owner, workspace).patch(`${MEMBERS}/${id}`, { role: 'member' });
    expect(await finish()).toEqual([403, 'forbidden']);
    const again = await begun(
      {
        method: 'POST',
        path: '/v1/scripts',
        body: { slug: newSlug(), name: 'M' },
        headers: tokenOf(person, workspace),
      },
      token,
    );
    expect(await again()).toEqual([201, undefined]);
  });

  it('makes nothing by a sign-in that has ended, or is an hour old by then', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const request = { method: 'POST', path: '/v1/workspace/api-keys', headers: cookieOf(owner, workspace) };
    const old = await begun({ ...request, body: { name: 'Late' } }, inApp(owner, workspace));
    const age = `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`;
    await database().query(age, [owner.id]);
    expect(await old()).toEqual([403, 'confirmation_required']);
    await inApp(owner, workspace).post('/v1/auth/confirm', { password: owner.password });
    const ended = await begun({ ...request, body: { name: 'Late' } }, inApp(owner, workspace));
    expect((await client({ cookie: owner.cookie }).post('/v1/auth/logout')).status).toBe(204);
    expect(await ended()).toEqual([401, 'unauthorized']);
  });

  it('has a tool called by no app that was disconnected meanwhile', async () => {
    const workspace = await newWorkspace();
    const { owner } = workspace;
    const token = await owner.agent();
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const finish = await begun({ method: 'POST', path: '/mcp', headers, body }, client({ token }));
    const account = client({ cookie: owner.cookie });
    const { items } = (await account.get('/v1/account/apps')).body;
    for (const { id } of items) await account.delete(`/v1/account/apps/${id}`);
    expect(await finish()).toEqual([401, 'unauthorized']);
  });
});
