import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { AgentHouse, ask, askStreaming, newAgent, said } from '../support/agents.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import type { Provider } from '../support/model-server.js';
import { python } from '../support/scripts.js';

const DOUBLE =
  'import json,os;print(json.dumps({"double": 2 * json.load(open(os.environ["GATEHOUSE_INPUTS"]))["n"]}))';
const NUMBER = {
  inputSchema: {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  },
};

const houses = new Map<Provider, AgentHouse>();
beforeAll(async () => {
  houses.set('openai', await AgentHouse.open('openai'));
  houses.set('anthropic', await AgentHouse.open('anthropic'));
});
afterAll(async () => {
  for (const house of houses.values()) await house.close();
});

async function place(provider: Provider = 'openai', fields: Json = {}) {
  const house = houses.get(provider)!;
  const workspace = await newWorkspace();
  const api = house.app(workspace);
  const script = (await python(api, DOUBLE, NUMBER)).slug;
  const agent = await newAgent(api, [script], fields);
  return { house, model: house.model, workspace, api, script, agent };
}

const runsOf = async (api: Client): Promise<Json[]> => (await api.get('/v1/runs')).body.items;

async function messagesUsed({ id }: TestWorkspace): Promise<number> {
  const { rows } = await database().query(
    `SELECT coalesce(sum(used), 0)::int AS used FROM usage_counters WHERE workspace_id = $1 AND meter = 'agent_messages'`,
    [id],
  );
  return (rows[0] as { used: number }).used;
}

describe.each(['openai', 'anthropic'] as const)('An agent with a model of %s', (provider) => {
  it('answers after it has run its script, twice at once', async () => {
    const { model, workspace, api, script, agent } = await place(provider, { instructions: 'Be exact.' });
    model.says(
      {
        text: 'I count. ',
        calls: [
          { name: script, input: { n: 2 } },
          { name: script, input: { n: 5 } },
        ],
      },
      { text: 'It is 4 and 10.', tokens: [20, 7] },
    );
    const answer = await ask(api, agent, 'Double 2 and 5');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: { role: 'assistant', content: 'I count. \n\nIt is 4 and 10.' },
        runs: [expect.any(Object), expect.any(Object)],
        usage: { inputTokens: 30, outputTokens: 12, turns: 2 },
        ending: 'answered',
      },
    ]);
    for (const run of answer.body.runs as Json[]) {
      expect(run).toMatchObject({
        status: 'succeeded',
        script: { slug: script },
        interface: 'mcp',
        startedBy: { userId: workspace.owner.id, credentialType: 'oauth', credentialName: 'Helper' },
        approval: null,
      });
      expect(run).not.toHaveProperty('inputs');
      expect(run).not.toHaveProperty('output');
    }
    expect(model.results.map((result) => JSON.parse(result) as Json)).toEqual([
      { double: 4 },
      { double: 10 },
    ]);
    const [first] = model.requests;
    const { path, headers, body } = first!;
    expect([path, body.model]).toEqual([
      provider === 'openai' ? '/v1/chat/completions' : '/v1/messages',
      'model-1',
    ]);
    expect(headers[provider === 'openai' ? 'authorization' : 'x-api-key']).toContain('model-key-1');
    const prompt = JSON.stringify(provider === 'openai' ? body.messages[0] : body.system);
    expect(prompt).toContain('Be exact.');
    expect(prompt).toContain('You are Helper.');
    expect(await messagesUsed(workspace)).toBe(1);
  });

  it('mends a call that did not fit, and hears what failed', async () => {
    const { model, api, script, agent } = await place(provider);
    model.says(
      { calls: [{ name: script, input: { n: 'two' } }] },
      { calls: [{ name: script, input: { n: 3 } }] },
      { text: 'Six.' },
    );
    const { body } = await ask(api, agent);
    expect([body.ending, body.runs.length, body.message.content]).toEqual(['answered', 1, 'Six.']);
    expect(model.results[0]).toMatch(/^invalid_request: n: /);
  });

  it('says when the model refuses', async () => {
    const { model, api, agent } = await place(provider);
    model.says({ ends: 'refusal' });
    const { status, body } = await ask(api, agent);
    expect([status, body.ending, body.message.content]).toEqual([
      200,
      'refused',
      'The language model refused to answer this.',
    ]);
  });

  it.each([
    ['is cut off', { text: 'I was about to', cut: true as const }, /broke off/],
    ['sends what is no answer', { garbage: '<html>garbage</html>' }, /endpoint/],
    ['refuses the key', { status: 401 }, /refused the key of this service/],
    ['fails', { status: 500 }, /refused the request/],
  ])('answers 503 where the model %s, without what it said', async (_, turn, message) => {
    const { model, api, agent } = await place(provider);
    model.says(turn);
    const answer = await ask(api, agent);
    expect([answer.status, answer.body?.error?.code], answer.text).toEqual([503, 'unavailable']);
    expect(answer.body.error.message).toMatch(message);
    for (const hidden of ['hidden-detail', 'model-key-1', new URL(model.url).host]) {
      expect(answer.text).not.toContain(hidden);
    }
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('answers 503 where the model falls silent', async () => {
    const house = await AgentHouse.open(provider, { GATEHOUSE_MODEL_SILENCE_SECONDS: '2' });
    try {
      const api = house.app(await newWorkspace());
      house.model.says({ text: 'Let me think', stalls: true });
      const { status, body } = await ask(api, await newAgent(api));
      expect([status, body.error?.message]).toEqual([503, expect.stringMatching(/stopped answering/)]);
    } finally {
      await house.close();
    }
  });
});

describe('An agent', () => {
  it('passes on how long the model wants to be left alone', async () => {
    const { model, api, agent } = await place();
    // Longer than it has for an answer.
    model.says({ status: 429, headers: { 'retry-after': '3000' } });
    const answer = await ask(api, agent);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3000']);
    expect(model.requests).toHaveLength(1);
  });

  it('waits for an endpoint that has too much to do', async () => {
    const { model, api, agent } = await place();
    const headers = { 'retry-after': '1' };
    model.says({ status: 429, headers }, { status: 503, headers }, { text: 'At last.' });
    const { status, body } = await ask(api, agent);
    expect([status, body.message.content, model.requests.length]).toEqual([200, 'At last.', 3]);
  });

  it('does not wait for a person, but says where one approves', async () => {
    const { model, api, script, agent } = await place();
    expect((await api.patch(`/v1/scripts/${script}`, { approvalPolicy: 'agents' })).status).toBe(200);
    model.says({ calls: [{ name: script, input: { n: 1 } }] }, { text: 'Please approve it.' });
    const { body } = await ask(api, agent);
    expect(body.runs).toMatchObject([{ status: 'awaiting_approval', approval: { id: expect.any(String) } }]);
    expect(model.results[0]).toContain(body.runs[0].approval.approveUrl);
    const stillHeld = await api.get(`/v1/runs/${body.runs[0].id}`);
    expect(stillHeld.body.status).toBe('awaiting_approval');
  });

  it('may not run anything where agents are not allowed', async () => {
    const { model, api, script, agent } = await place();
    await api.patch('/v1/workspace/environments/production', { agentsAllowed: false });
    model.says({ calls: [{ name: script, input: { n: 1 } }] }, { text: 'I may not.' });
    const { body } = await ask(api, agent);
    expect([body.runs, model.results[0]]).toEqual([[], expect.stringMatching(/^forbidden: /)]);
    expect(await runsOf(api)).toEqual([]);
  });

  it('stops after 12 turns', async () => {
    const { model, api, script, agent } = await place();
    model.says({ calls: [{ name: 'get_run', input: { runId: script } }] });
    const { body } = await ask(api, agent);
    expect([body.ending, body.usage.turns, model.requests.length]).toEqual(['turns', 12, 12]);
    expect(body.message.content).toMatch(/^The agent stopped after 12 turns/);
  });

  it('stops after 20 runs', async () => {
    const { model, api, script, agent } = await place();
    await api.patch(`/v1/scripts/${script}`, { approvalPolicy: 'agents' });
    const calls = Array.from({ length: 23 }, (_, n) => ({ name: script, input: { n } }));
    model.says({ calls }, { text: 'never asked' });
    const { body } = await ask(api, agent);
    expect([body.ending, body.runs.length, model.requests.length]).toEqual(['runs', 20, 1]);
    expect((await runsOf(api)).length).toBe(20);
  });

  it('stops after 100,000 tokens, and where it says too much in a turn', async () => {
    const { model, api, script, agent } = await place();
    model.says({ calls: [{ name: 'get_run', input: { runId: script } }], tokens: [60_000, 0] });
    expect((await ask(api, agent)).body).toMatchObject({ ending: 'tokens', usage: { turns: 2 } });
    model.says({ text: 'And so on', ends: 'length' });
    expect((await ask(api, agent)).body).toMatchObject({
      ending: 'tokens',
      message: { content: 'And so on' },
    });
  });

  it('hears of a tool that it does not have, and of input that is no JSON', async () => {
    const { model, api, script, agent } = await place();
    const calls = [
      { name: 'run_script', input: { script } },
      { name: script, input: '{"n": ' },
    ];
    model.says({ calls }, { text: 'Sorry.' });
    const { status, body } = await ask(api, agent);
    expect([status, body?.message?.content, body?.runs]).toEqual([200, 'Sorry.', []]);
    expect(model.results.length).toBe(2);
    expect(await runsOf(api)).toEqual([]);
  });

  it.each([
    [{ messages: [] }, 'messages'],
    [{ messages: 'Hello' }, 'messages'],
    [{}, 'messages'],
    [{ messages: ['Hello'] }, 'messages.0'],
    [{ messages: [{ role: 'user' }] }, 'messages.0.content'],
    [{ messages: [{ role: 'user', content: '' }] }, 'messages.0.content'],
    [
      {
        messages: [
          { role: 'system', content: 'Obey' },
          { role: 'user', content: 'x' },
        ],
      },
      'messages.0.role',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: 'x', name: 'y' }] }, 'messages.0.name'],
    [{ messages: [{ role: 'assistant', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: 'x' }], model: 'm' }, 'model'],
    [{ messages: Array.from({ length: 201 }, () => ({ role: 'user', content: 'x' })) }, 'messages'],
    [
      { messages: Array.from({ length: 5 }, () => ({ role: 'user', content: 'x'.repeat(90_000) })) },
      'messages',
    ],
  ])('is asked nothing by %.60j', async (body, path) => {
    const { model, api, agent, workspace } = await place();
    model.says({ text: 'never' });
    const answer = await api.post(`/v1/agents/${agent}/chat`, body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    expect([model.requests.length, await messagesUsed(workspace)]).toEqual([0, 0]);
  });

  it('answers nobody where it is not enabled or not there', async () => {
    const { api, agent } = await place();
    await api.patch(`/v1/agents/${agent}`, { enabled: false });
    expect((await ask(api, agent)).status).toBe(409);
    expect((await ask(api, 'nobody')).status).toBe(404);
  });

  it('uses the model that it names', async () => {
    const { model, api, agent } = await place('openai', { model: 'model-2' });
    model.says({ text: 'Hello.' });
    await ask(api, agent);
    expect(model.requests[0]!.body.model).toBe('model-2');
  });

  it('is counted, and answers no more than the plan allows', async () => {
    const plans = JSON.stringify({ default: { limits: { agent_messages: 1 } } });
    const house = await AgentHouse.open('openai', { GATEHOUSE_PLANS: plans });
    try {
      const workspace = await newWorkspace();
      const api = house.app(workspace);
      const agent = await newAgent(api);
      house.model.says({ text: 'Hello.' });
      expect((await ask(api, agent)).status).toBe(200);
      const second = await ask(api, agent);
      expect([second.status, second.body.error.code]).toEqual([403, 'quota_exceeded']);
      expect([house.model.requests.length, await messagesUsed(workspace)]).toEqual([1, 1]);
    } finally {
      await house.close();
    }
  });

  it('cannot answer where no model is set, and says which setting is missing', async () => {
    const workspace = await newWorkspace();
    const api = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    const agent = await newAgent(api);
    const answer = await ask(api, agent);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.body.error.message).toMatch(/^Agents cannot answer here\. Set GATEHOUSE_MODEL_URL/);
    expect(await messagesUsed(workspace)).toBe(0);
  });

  it('does not reach a private address that the operator has not allowed', async () => {
    const house = await AgentHouse.open('openai', { GATEHOUSE_OUTBOUND_ALLOW: '' });
    try {
      const api = house.app(await newWorkspace());
      house.model.says({ text: 'Hello.' });
      expect((await ask(api, await newAgent(api))).status).toBe(503);
      expect(house.model.requests).toEqual([]);
    } finally {
      await house.close();
    }
  });
});

describe('A message with an Idempotency-Key', () => {
  it('is carried out once', async () => {
    const { model, api, script, agent } = await place();
    model.says({ calls: [{ name: script, input: { n: 1 } }] }, { text: 'Two.' });
    const headers = { 'idempotency-key': 'once' };
    const post = () => api.post(`/v1/agents/${agent}/chat`, said('Double 1'), headers);
    const first = await post();
    const second = await post();
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(second.body).toEqual(first.body);
    expect([model.requests.length, (await runsOf(api)).length]).toEqual([2, 1]);
  });

  it('whose first try was cut off is not asked again', async () => {
    const { model, api, script, agent, workspace } = await place();
    model.says({ calls: [{ name: script, input: { n: 1 } }] }, { status: 500 });
    const headers = { 'idempotency-key': 'cut' };
    const post = () => api.post(`/v1/agents/${agent}/chat`, said('Double 1'), headers);
    expect((await post()).status).toBe(503);
    const again = await post();
    expect([again.status, again.body.error.message]).toEqual([409, expect.stringContaining('use a new key')]);
    expect([(await runsOf(api)).length, await messagesUsed(workspace)]).toEqual([1, 1]);
  });
});

describe('An answer that is streamed', () => {
  it('tells of texts, tools and runs as they come, and ends with all of it', async () => {
    const { house, model, workspace, script, agent } = await place();
    model.says({ text: 'I count. ', calls: [{ name: script, input: { n: 2 } }] }, { text: 'It is four.' });
    const { status, type, events } = await askStreaming(house, workspace, agent);
    expect([status, type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const done = events.at(-1)!;
    expect(done.event).toBe('done');
    const texts = events.filter(({ event }) => event === 'text').map(({ data }) => data.delta);
    expect(texts.join('')).toBe(done.data.message.content);
    expect(texts.length).toBeGreaterThan(2);
    const tool = events.find(({ event }) => event === 'tool')!;
    expect(tool.data).toEqual({ id: expect.any(String), name: script, script, input: { n: 2 } });
    const runs = events.filter(({ event }) => event === 'run').map(({ data }) => data);
    // That it runs is told only where it does when it is looked at.
    expect(runs.at(-1)!.run.status).toBe('succeeded');
    expect(new Set(runs.map(({ id }) => id))).toEqual(new Set([tool.data.id]));
    expect(done.data.runs).toEqual([runs.at(-1)!.run]);
  });

  it('ends with an error where the model fails', async () => {
    const { house, model, workspace, agent } = await place();
    model.says({ text: 'I was about to', cut: true });
    const { events } = await askStreaming(house, workspace, agent);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: { code: 'unavailable' } } });
  });

  it('ends the model where its client goes', async () => {
    const { house, model, workspace, agent } = await place();
    model.says({ text: 'Let me think', stalls: true });
    await askStreaming(house, workspace, agent, ({ event }) => event === 'text');
    await expect.poll(() => model.abandoned).toBe(1);
  });

  it('ends where its credential is taken away', async () => {
    const { house, model, workspace, agent } = await place();
    model.says({ text: 'Let me think', stalls: true });
    const asked = askStreaming(house, workspace, agent);
    await expect.poll(() => model.requests.length).toBe(1);
    const { id } = workspace.owner;
    await database().query('DELETE FROM sessions WHERE user_id = $1', [id]);
    const { events } = await asked;
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: { error: { message: expect.stringMatching(/^The answer was broken off/) } },
    });
  });

  it('takes no Idempotency-Key', async () => {
    const { api, agent } = await place();
    const headers = { accept: 'text/event-stream', 'idempotency-key': 'x' };
    const answer = await api.post(`/v1/agents/${agent}/chat`, said('Hello'), headers);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'idempotency-key']);
  });
});
