import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { AgentHouse, ask, newAgent } from '../support/agents.js';
import { database, newWorkspace } from '../support/gatehouse.js';
import { mcpClient, said } from '../support/mcp.js';
import { python } from '../support/scripts.js';

const AMOUNT = { inputSchema: { type: 'object', properties: { amount: { type: 'integer', default: 500 } } } };
const OVER_100 = { title: 'more than 100', properties: { amount: { exclusiveMinimum: 100 } } };

let house: AgentHouse;
beforeAll(async () => {
  house = await AgentHouse.open('openai');
});
afterAll(() => house.close());

async function place() {
  const workspace = await newWorkspace();
  const api = house.app(workspace);
  const script = (await python(api, 'print(1)', AMOUNT)).slug;
  return { workspace, api, script, agent: await newAgent(api, [script]), model: house.model };
}

const reasonOf = async (api: Client, run: Json): Promise<string> => {
  const id = (await api.get(`/v1/runs/${run.id}`)).body.approvalRequestId as string;
  return (await api.get(`/v1/workspace/approval-requests/${id}`)).body.reason as string;
};

describe('An agent that always asks', () => {
  it('has each of its runs held, and nobody else’s', async () => {
    const { api, agent, script, model } = await place();
    expect((await api.patch(`/v1/agents/${agent}`, { approvalPolicy: 'always' })).status).toBe(200);
    model.says({ calls: [{ name: script, input: { amount: 1 } }] }, { text: 'Please approve it.' });
    const { body } = await ask(api, agent);
    expect(body.runs).toMatchObject([{ status: 'awaiting_approval' }]);
    expect(await reasonOf(api, body.runs[0])).toBe(
      'This agent always asks: a person has to approve every run that it starts.',
    );
    const other = await newAgent(api, [script]);
    model.says({ calls: [{ name: script, input: { amount: 1 } }] }, { text: 'Done.' });
    expect((await ask(api, other)).body.runs).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('A script that asks about inputs', () => {
  it('has those runs of agents held that match, defaults filled in', async () => {
    const { workspace, api, script } = await place();
    const ask = { when: OVER_100, who: 'agents' };
    const { body } = await api.patch(`/v1/scripts/${script}`, { ask });
    expect([body.ask, body.revision]).toEqual([ask, 2]);
    const mcp = await mcpClient(await workspace.owner.agent());
    const statusOf = async (input: Json) =>
      said(await mcp.callTool({ name: script, arguments: input })).structured.status as string;
    expect(await statusOf({ amount: 100 })).toBe('succeeded');
    expect(await statusOf({ amount: 101 })).toBe('awaiting_approval');
    expect(await statusOf({})).toBe('awaiting_approval');
    const viaTool = { name: 'run_script', arguments: { script, inputs: { amount: 200 } } };
    expect(said(await mcp.callTool(viaTool)).structured.status).toBe('awaiting_approval');
    const { tools } = await mcp.listTools();
    expect(tools.find(({ name }) => name === script)!.description).toContain(
      'its inputs match: more than 100',
    );
    await mcp.close();
    const own = await api.post(`/v1/scripts/${script}/runs`, { inputs: { amount: 1000 } });
    expect(own.body.status).toBe('succeeded');
    const { items } = (await api.get('/v1/runs?status=awaiting_approval')).body;
    expect(await reasonOf(api, items[0])).toBe(
      "The script asks for approval of an agent's run whose inputs match its condition (`ask`): more than 100.",
    );
  });

  it('has everybody’s held where it says so, and lets a run go once somebody approves', async () => {
    const { api, script } = await place();
    await api.patch(`/v1/scripts/${script}`, { ask: { when: OVER_100, who: 'all' } });
    const held = await api.post(`/v1/scripts/${script}/runs`, { inputs: { amount: 101 } });
    expect([held.status, held.body.status]).toEqual([202, 'awaiting_approval']);
    const approved = await api.post(`/v1/workspace/approval-requests/${held.body.approval.id}/approve`);
    expect(approved.body.status).toBe('completed');
    // Once more is asked about once more.
    const again = await api.post(`/v1/runs/${held.body.id}/rerun`);
    expect(again.body.status).toBe('awaiting_approval');
  });

  it('has those of its triggers’ and schedules’ runs held that match', async () => {
    const { workspace, api, script } = await place();
    await api.patch(`/v1/scripts/${script}`, { ask: { when: OVER_100, who: 'all' } });
    const other = `other-${workspace.slug}`;
    const on = { eventType: 'script.created', name: 'When', filter: { 'script.slug': other } };
    const triggerOf = async (amount: unknown) =>
      (await api.post(`/v1/scripts/${script}/triggers`, { ...on, inputs: { amount } })).body as Json;
    const [less, more] = [await triggerOf(100), await triggerOf(101)];
    const schedule = (
      await api.post(`/v1/scripts/${script}/schedules`, { name: 'Yearly', cron: '@yearly', inputs: {} })
    ).body;
    await database().query('UPDATE schedules SET next_run_at = now() WHERE id = $1', [schedule.id]);
    await api.post('/v1/scripts', { name: 'Other', slug: other });
    const statuses = async (filter: string) =>
      (await api.get(`/v1/runs?${filter}`)).body.items.map(({ status }: Json) => status as string);
    await expect.poll(() => statuses(`triggerId=${less.id}`)).toEqual(['succeeded']);
    await expect.poll(() => statuses(`triggerId=${more.id}`)).toEqual(['awaiting_approval']);
    await expect.poll(() => statuses(`scheduleId=${schedule.id}`)).toEqual(['awaiting_approval']);
  });

  it.each([
    [{ when: {} }, 'ask.who'],
    [{ who: 'all' }, 'ask.when'],
    [{ when: 'amount > 100', who: 'all' }, 'ask.when'],
    [{ when: { type: 'nonsense' }, who: 'all' }, 'ask.when.type'],
    [{ when: { properties: { a: { pattern: '(' } } }, who: 'all' }, 'ask.when.properties.a.pattern'],
    [{ when: {}, who: 'nobody' }, 'ask.who'],
    [{ when: {}, who: 'all', then: 'x' }, 'ask.then'],
    ['always', 'ask'],
  ])('is not made of %j', async (rule, path) => {
    const { api, script } = await place();
    const { status, body } = await api.patch(`/v1/scripts/${script}`, { ask: rule });
    expect([status, body.error.details[0].path], JSON.stringify(body)).toEqual([400, path]);
  });
});
