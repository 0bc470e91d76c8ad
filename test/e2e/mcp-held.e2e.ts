import { beforeAll, describe, expect, it } from 'vitest';

import type { Client as Api, Json, TestWorkspace } from '../../libs/testing/index.js';
import { approve, deny } from '../support/approvals.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, post, said, VERSIONS } from '../support/mcp.js';
import { python, type TestScript } from '../support/scripts.js';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const SHOWS_ADDRESSES = { elicitation: { url: {} } };

let workspace: TestWorkspace;
let owner: Api;
let inApp: Api;
let agent: string;
let held: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = client({ token: workspace.owner.token, workspace: workspace.slug });
  inApp = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
  agent = await workspace.owner.agent();
  held = await python(owner, 'print(\'"let go"\')', { command: 'python main.py' });
  await owner.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'agents' });
});

const call = (): Json => ({ method: 'tools/call', params: { name: held.slug, arguments: {} } });
const runs = async (): Promise<number> =>
  (await owner.get(`/v1/runs?script=${held.slug}&limit=100`)).body.items.length as number;

describe.each(VERSIONS)('a client of the version %s that declares nothing', (version) => {
  it('is told at once what waits and how to go on, and gets the output after the approval', async () => {
    const mcp = await mcpClient(agent, { version });
    const { structured, text, isError } = said(await mcp.callTool({ name: held.slug, arguments: {} }));
    expect(isError).toBe(false);
    expect(structured).toMatchObject({
      status: 'awaiting_approval',
      approveUrl: expect.stringMatching(/\/approvals\/apr_\w+$/),
      next: expect.stringContaining('wait_for_run'),
    });
    expect(text).toContain(structured.approveUrl);
    const waits = mcp.callTool({ name: 'wait_for_run', arguments: { runId: structured.runId, seconds: 50 } });
    await approve(inApp, structured.approveUrl.split('/').at(-1));
    expect(said(await waits)).toMatchObject({ text: 'let go', isError: false });
    await mcp.close();
  });
});

describe('a client that can show a person an address', () => {
  it('does so, and gets the result by repeating its call, which starts nothing', async () => {
    const before = await runs();
    const first = await post(agent, call(), { capabilities: SHOWS_ADDRESSES });
    expect(first.body.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { approve: { method: 'elicitation/create', params: { mode: 'url' } } },
    });
    const { requestState, inputRequests } = first.body.result;
    const approval = inputRequests.approve.params.url.split('/').at(-1) as string;
    const again = { ...call().params, requestState, inputResponses: { approve: { action: 'accept' } } };
    const waits = post(agent, { ...call(), params: again }, { capabilities: SHOWS_ADDRESSES });
    await approve(inApp, approval);
    const second = await waits;
    expect(said(second.body.result)).toMatchObject({ text: 'let go', isError: false });
    expect(await runs()).toBe(before + 1);
  });

  it.each(['decline', 'cancel'])(
    'ends the wait at once where its person says %s, and the run still waits',
    async (action) => {
      const ask = async () => {
        const { requestState, inputRequests } = (await post(agent, call(), { capabilities: SHOWS_ADDRESSES }))
          .body.result;
        const approval = inputRequests.approve.params.url.split('/').at(-1) as string;
        const respond = (response: string) => {
          const inputResponses = { approve: { action: response } };
          const params = { ...call().params, requestState, inputResponses };
          return post(agent, { ...call(), params }, { capabilities: SHOWS_ADDRESSES });
        };
        return { approval, respond };
      };
      const [waiting, ended] = [await ask(), await ask()];
      let waits = true;
      const later = waiting.respond('accept').finally(() => (waits = false));
      const { body } = await ended.respond(action);
      expect(waits, 'one that was accepted before still waits').toBe(true);
      expect(said(body.result)).toMatchObject({
        isError: false,
        structured: { status: 'awaiting_approval', next: expect.stringContaining('wait_for_run') },
      });
      for (const { approval } of [waiting, ended]) await deny(inApp, approval);
      await later;
    },
  );

  it('cannot approve by what it says itself', async () => {
    const { body } = await post(agent, call(), { capabilities: SHOWS_ADDRESSES });
    const { requestState, inputRequests } = body.result;
    const approval = inputRequests.approve.params.url.split('/').at(-1) as string;
    const again = { ...call().params, requestState, inputResponses: { approve: { action: 'accept' } } };
    const waits = post(agent, { ...call(), params: again }, { capabilities: SHOWS_ADDRESSES });
    await new Promise((done) => setTimeout(done, 500));
    expect((await inApp.get(`/v1/workspace/approval-requests/${approval}`)).body.status).toBe('pending');
    await deny(inApp, approval);
    expect(said((await waits).body.result)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^status: cancelled$/m),
    });
  });

  it('cannot use the state of another call, of another grant, or one that it made up', async () => {
    const { body } = await post(agent, call(), { capabilities: SHOWS_ADDRESSES });
    const { requestState } = body.result;
    const [runId] = requestState.split('.');
    const before = await runs();
    const tries: [string, string, Json][] = [
      [agent, requestState, { name: held.slug, arguments: { other: true } }],
      [agent, `${runId}.nonsense`, call().params],
      [await workspace.owner.agent(), requestState, call().params],
    ];
    for (const [token, state, params] of tries) {
      const answer = await post(token, { ...call(), params: { ...params, requestState: state } });
      expect(answer.body.error).toMatchObject({ code: -32602 });
    }
    expect(await runs()).toBe(before);
  });
});

describe('a client that knows tasks', () => {
  const task = (method: string, taskId: string, capabilities: object = TASKS) =>
    post(agent, { method, params: { taskId } }, { capabilities });

  async function started(): Promise<Json> {
    const { body } = await post(agent, call(), { capabilities: TASKS });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    return body.result;
  }

  it('follows a held run as one, by its id', async () => {
    const { taskId, statusMessage } = await started();
    expect(taskId).toMatch(/^run_/);
    const url = /\S+$/.exec(statusMessage as string)![0];
    const shown = await task('tasks/get', taskId, { ...TASKS, ...SHOWS_ADDRESSES });
    expect(shown.body.result).toMatchObject({
      status: 'input_required',
      inputRequests: { approve: { params: { url } } },
    });
    expect((await task('tasks/update', taskId)).body.result).toBeDefined();
    expect((await task('tasks/get', taskId)).body.result).toMatchObject({ status: 'working' });
    await approve(inApp, url.split('/').at(-1)!);
    let now: Json;
    do now = (await task('tasks/get', taskId)).body.result;
    while (now.status === 'working');
    expect(now).toMatchObject({ status: 'completed', result: { content: [{ text: 'let go' }] } });
  });

  it('cancels the run with the task, and is told of others that there is none', async () => {
    const { taskId } = await started();
    expect((await task('tasks/cancel', taskId)).body.error).toBeUndefined();
    expect((await task('tasks/get', taskId)).body.result).toMatchObject({ status: 'cancelled' });
    expect((await owner.get(`/v1/runs/${taskId}`)).body.status).toBe('cancelled');
    const stranger = await (await newWorkspace()).owner.agent();
    const message = { method: 'tasks/get', params: { taskId } };
    const elsewhere = await post(stranger, message, { capabilities: TASKS });
    expect(elsewhere.body.error).toMatchObject({ code: -32602 });
  });

  it('has to say so', async () => {
    const { taskId } = await started();
    const answer = await task('tasks/get', taskId, {});
    expect(answer.body.error).toMatchObject({ code: -32021 });
    await task('tasks/cancel', taskId);
  });

  it('shows a person a request of the run that waits for a yes', async () => {
    const sending = await python(
      owner,
      `
import urllib.error, urllib.request
try: urllib.request.urlopen("https://api.example.com/v1/pay", data=b"1", timeout=100)
except urllib.error.HTTPError as e: print(e.code)`,
      { hosts: [{ host: 'api.example.com', ask: 'agents' }], timeout: 60 },
    );
    const { body } = await post(
      agent,
      { method: 'tools/call', params: { name: sending.slug, arguments: {} } },
      { capabilities: TASKS },
    );
    const { taskId } = body.result as Json;
    const shown = (): Promise<Json> => task('tasks/get', taskId, { ...TASKS, ...SHOWS_ADDRESSES });
    await expect.poll(async () => (await shown()).body.result.status).toBe('input_required');
    const { url } = (await shown()).body.result.inputRequests.approve.params;
    expect((await task('tasks/get', taskId)).body.result).toMatchObject({
      status: 'working',
      statusMessage: `A person has to approve a request that this run of ${sending.slug} wants to send: ${url}`,
    });
    const waiting = await post(agent, {
      method: 'tools/call',
      params: { name: 'wait_for_run', arguments: { runId: taskId, seconds: 1 } },
    });
    expect(waiting.body.result).toMatchObject({
      structuredContent: {
        status: 'running',
        approveUrl: url,
        waitsFor: 'A person has to approve a request that this run wants to send.',
      },
    });
    await deny(inApp, url.split('/').at(-1)!);
    await expect.poll(async () => (await shown()).body.result.status).toBe('completed');
  });
});
