import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { AgentHouse, newAgent, streamed } from '../support/agents.js';
import { Conversation } from '../support/conversations.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import type { Provider } from '../support/model-server.js';
import { finished, python, runUntil } from '../support/scripts.js';

const DOUBLE =
  'import json,os;print(json.dumps({"double": 2 * json.load(open(os.environ["GATEHOUSE_INPUTS"]))["n"]}))';

const houses = new Map<Provider, AgentHouse>();
beforeAll(async () => {
  houses.set('openai', await AgentHouse.open('openai', { GATEHOUSE_MODEL_SILENCE_SECONDS: '8' }));
  houses.set('anthropic', await AgentHouse.open('anthropic', { GATEHOUSE_MODEL_SILENCE_SECONDS: '8' }));
});
afterAll(async () => {
  for (const house of houses.values()) await house.close();
});

async function place(provider: Provider = 'openai') {
  const house = houses.get(provider)!;
  const workspace = await newWorkspace();
  const api = house.app(workspace);
  const script = (await python(api, DOUBLE, { inputSchema: { type: 'object' } })).slug;
  const agent = await newAgent(api, [script]);
  return {
    house,
    model: house.model,
    workspace,
    api,
    script,
    agent,
    talk: await Conversation.begin(api, agent),
  };
}

describe.each(['openai', 'anthropic'] as const)(
  'A conversation that is kept, with a model of %s',
  (provider) => {
    it('lets the model know at the next message what its tools gave', async () => {
      const { model, api, script, agent, talk } = await place(provider);
      model.says({ text: 'I count.', calls: [{ name: script, input: { n: 4 } }] }, { text: 'Eight.' });
      const first = await talk.say('Double four\nplease');
      expect([first.status, first.body.message.content], first.text).toEqual([200, 'I count.\n\nEight.']);
      expect(first.body.runs).toMatchObject([
        { causedBy: { type: 'conversation', id: talk.path.split('/').at(-1) } },
      ]);
      model.says({ text: 'It was 8.' });
      expect((await talk.say('What was it?')).body.message.content).toBe('It was 8.');
      const seen = JSON.stringify(model.requests[0]!.body.messages).replaceAll('\\', '');
      for (const part of ['Double four', 'I count.', '"n":4', '"double":8', 'Eight.', 'What was it?']) {
        expect(seen).toContain(part);
      }
      expect(await talk.messages()).toMatchObject([
        { role: 'user', content: 'Double four\nplease', calls: [] },
        {
          role: 'assistant',
          content: 'I count.',
          calls: [{ tool: script, script, input: { n: 4 }, result: '{"double":8}', waits: false }],
        },
        { role: 'assistant', content: 'Eight.', calls: [] },
        { role: 'user', content: 'What was it?' },
        { role: 'assistant', content: 'It was 8.' },
      ]);
      const { items } = (await api.get(`/v1/agents/${agent}/conversations`)).body;
      expect(items).toMatchObject([{ title: 'Double four', answering: false }]);
    });

    it('fills in what came of a run that a person approved meanwhile, and goes on', async () => {
      const { model, api, script, talk } = await place(provider);
      await api.patch(`/v1/scripts/${script}`, { approvalPolicy: 'agents' });
      model.says({ calls: [{ name: script, input: { n: 21 } }] }, { text: 'Please approve it.' });
      const { body } = await talk.say('Double 21');
      const [run] = body.runs as Json[];
      expect((await talk.messages())[1]!.calls).toMatchObject([
        { runId: run!.id, waits: true, result: expect.stringContaining('approveUrl') },
      ]);
      const early = await talk.say(null);
      expect([early.status, early.body.error.message]).toEqual([
        409,
        expect.stringMatching(/^Nothing that the agent waited for has ended/),
      ]);
      await api.post(`/v1/workspace/approval-requests/${run!.approval.id}/approve`);
      await runUntil(api, run!.id, finished);
      model.says({ text: 'It is 42.' });
      expect((await talk.say(null)).body.message.content).toBe('It is 42.');
      expect(model.results).toEqual([expect.stringMatching(/^\{"double": ?42\}/)]);
      expect((await talk.messages())[1]!.calls).toMatchObject([{ waits: false }]);
      expect((await talk.say(null)).status).toBe(409);
    });
  },
);

describe('A conversation', () => {
  it('hears why a run never began', async () => {
    const { model, api, script, talk } = await place();
    await api.patch(`/v1/scripts/${script}`, { approvalPolicy: 'agents' });
    model.says({ calls: [{ name: script, input: { n: 1 } }] }, { text: 'Please approve it.' });
    const [run] = (await talk.say('Double 1')).body.runs as Json[];
    const denial = { reason: 'not today' };
    await api.post(`/v1/workspace/approval-requests/${run!.approval.id}/deny`, denial);
    model.says({ text: 'It was denied.' });
    await talk.say('And?');
    expect(model.results[0]).toMatch(/denied: not today/);
  });

  it('takes one message at a time', async () => {
    const { model, talk } = await place();
    model.says({ text: 'I think', stalls: true });
    const first = talk.say('One');
    await expect.poll(() => model.requests.length).toBe(1);
    const second = await talk.say('Two');
    expect([second.status, second.body.error.message]).toEqual([409, expect.stringMatching(/still answers/)]);
    // The endpoint is silent for too long.
    expect((await first).status).toBe(503);
    model.says({ text: 'Again.' });
    expect((await talk.say('Three')).status).toBe(200);
    expect((await talk.messages()).map(({ content }) => content)).toEqual([
      'One',
      'I think',
      'Three',
      'Again.',
    ]);
  });

  it('takes the next message as soon as an answer was stopped', async () => {
    const { house, model, workspace, talk } = await place();
    for (let i = 0; i < 5; i++) {
      model.says({ text: 'I think', stalls: true });
      const path = `${talk.path}/messages`;
      await streamed(house, workspace, path, { content: 'One' }, ({ event }) => event === 'text');
      model.says({ text: 'Yes.' });
      const next = await talk.say('Two');
      expect([next.status, next.body.message?.content], next.text).toEqual([200, 'Yes.']);
    }
  });

  it('is told of a call that was broken off, and never that it did nothing', async () => {
    const { model, script, talk } = await place();
    model.says({ calls: [{ name: script, input: { n: 2 } }] }, { text: 'Four.' });
    await talk.say('Double 2');
    const id = talk.path.split('/').at(-1);
    // As a kill leaves it before the run is known.
    await database().query(
      `UPDATE agent_conversation_entries SET content = NULL, run_id = NULL WHERE conversation_id = $1 AND kind = 'call'`,
      [id],
    );
    model.says({ text: 'I look.' });
    await talk.say('Go on');
    expect(model.results[0]).toMatch(/broken off/);
  });

  it('ends where it gets too long, in words', async () => {
    const { model, talk } = await place();
    model.says({ text: 'Yes.' });
    for (let i = 0; i < 5; i++) expect((await talk.say('x'.repeat(99_000))).status).toBe(200);
    const full = await talk.say('One more');
    expect([full.status, full.body.error.message]).toEqual([
      409,
      'The conversation is as long as it may get. Begin a new one.',
    ]);
  });

  it.each([
    [{ content: '' }, 'content'],
    [{ content: 7 }, 'content'],
    [{ content: null }, 'content'],
    [{ content: 'x'.repeat(100_001) }, 'content'],
    [{ content: 'x', role: 'system' }, 'role'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages'],
  ])('is told nothing by %.60j', async (body, path) => {
    const { api, model, talk } = await place();
    model.says({ text: 'never' });
    const answer = await api.post(`${talk.path}/messages`, body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    expect([model.requests.length, await talk.messages()]).toEqual([0, []]);
  });

  it('is asked once for a key, however often that is sent', async () => {
    const { house, workspace, model, agent } = await place();
    const api = house.by(workspace.owner.token, workspace);
    const talk = await Conversation.begin(api, agent);
    model.says({ text: 'Once.' });
    const send = () => api.post(`${talk.path}/messages`, { content: 'Hi' }, { 'idempotency-key': 'k1' });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect([model.requests.length, (await talk.messages()).length]).toEqual([1, 2]);
  });

  it('goes with its agent, and can be deleted', async () => {
    const { api, agent, talk } = await place();
    const other = await Conversation.begin(api, agent);
    expect((await api.delete(other.path)).status).toBe(204);
    expect([(await other.get()).status, (await talk.get()).status]).toEqual([404, 200]);
    expect((await api.patch(`/v1/agents/${agent}`, { enabled: false })).status).toBe(200);
    expect((await talk.say('Hello')).status).toBe(409);
    expect((await talk.get()).status).toBe(200);
    expect((await api.delete(`/v1/agents/${agent}`)).status).toBe(204);
    const { rowCount } = await database().query('SELECT FROM agent_conversations WHERE id = $1', [
      talk.path.split('/').at(-1),
    ]);
    expect(rowCount).toBe(0);
  });
});
