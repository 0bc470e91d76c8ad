import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import chatApprovals from './chat-approvals.extension.js';

/** What a chat's incoming webhook does. */
class Chat {
  readonly posts: string[] = [];
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void json(request).then((body) => {
        this.posts.push((body as { text: string }).text);
        response.end('ok');
      });
    });
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks/of-the-room`;
  }

  stop(): void {
    this.server.close();
  }
}

describe('approvals in a chat', () => {
  const chat = new Chat();
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    const settings = { webHook: await chat.start(), workspace: 'acme' };
    gatehouse = await startGatehouse({
      extensions: [chatApprovals(settings)],
      workspace: 'acme',
      // The chat of the test is on this machine, to which Gatehouse connects only where it is told to.
      env: { GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8' },
    });
  });

  afterAll(async () => {
    await gatehouse?.stop();
    chat.stop();
  });

  const ask = (reason: string, workspace: { slug: string } = gatehouse.workspace) =>
    gatehouse.api.as(gatehouse.workspace.owner.token, workspace).post('/v1/workspace/approval-requests', {
      action: 'environment.create',
      input: { name: 'staging' },
      reason,
    });

  it('are posted where they are of the workspace of the room', async () => {
    const owner = gatehouse.api.as(gatehouse.workspace.owner);
    await owner.post('/v1/workspaces', { name: 'Other', slug: 'other' });
    expect((await ask('For others', { slug: 'other' })).status).toBe(201);
    expect((await ask('For us')).status).toBe(201);
    await expect.poll(() => chat.posts.length, { timeout: 10_000 }).toBe(1);
    expect(chat.posts[0]).toContain('Olive Owner asks: For us');
    chat.posts.pop();
  });

  it('have links to the page on which a person decides', async () => {
    const { body } = await ask('For <!everyone> & the release');
    await expect.poll(() => chat.posts.length, { timeout: 10_000 }).toBe(1);
    expect(chat.posts[0]).toBe(
      [
        `*${body.summary}*`,
        'Olive Owner asks: For &lt;!everyone&gt; &amp; the release',
        `<${body.approveUrl}|Approve> or <${body.approveUrl}?decision=deny|deny>`,
      ].join('\n'),
    );
    // The links lead to the app. Nothing is decided by following them.
    await gatehouse.api.get(new URL(`${body.approveUrl}?decision=deny`).pathname);
    const person = gatehouse.api.as(gatehouse.workspace.owner);
    expect((await person.get(`/v1/workspace/approval-requests/${body.id}`)).body.status).toBe('pending');
  });
});
