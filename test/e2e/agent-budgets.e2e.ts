import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { AgentHouse, ask, newAgent } from '../support/agents.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { withinOneHour } from '../support/hours.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { mcpClient, said } from '../support/mcp.js';
import { python } from '../support/scripts.js';

const ANYTHING = { inputSchema: { type: 'object' } };
const ANEW = /It begins anew on \d{4}-\d\d-\d\d at 00:00 UTC\.$/;

let house: AgentHouse;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  house = await AgentHouse.open('openai', {
    GATEHOUSE_MODEL_PRICE: '3/15 USD',
    GATEHOUSE_AGENT_AUDIT_SAMPLE: '1',
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'gate@example.com',
  });
});
afterAll(async () => {
  await house.close();
  await mail.stop();
});
// What is used is counted by the day.
beforeEach(withinOneHour);

async function place(fields: Json = {}) {
  const workspace = await newWorkspace();
  const api = house.app(workspace);
  const script = (await python(api, 'print(1)', ANYTHING)).slug;
  const agent = await newAgent(api, [script], fields);
  return { workspace, api, script, agent, model: house.model };
}

const usage = async (api: Client, agent: string): Promise<Json> =>
  (await api.get(`/v1/agents/${agent}/usage`)).body as Json;

const running = (script: string, times = 1) => ({
  calls: Array.from({ length: times }, (_, n) => ({ name: script, input: { n } })),
});

describe('The budget of an agent', () => {
  it('is counted in messages, runs, tokens and money, today and in the month', async () => {
    const { api, agent, script, model } = await place();
    model.says({ ...running(script), tokens: [1000, 100] }, { text: 'Done.', tokens: [500, 20] });
    await ask(api, agent);
    const used = { messages: 1, runs: 1, tokens: 1620, cost: (1500 * 3 + 120 * 15) / 1e6, reads: 0 };
    expect(await usage(api, agent)).toMatchObject({ day: used, month: used, currency: 'USD' });
    const mine = (await api.get('/v1/workspace/agent-settings/usage')).body;
    expect(mine).toMatchObject({ day: used, month: used });
  });

  it('refuses messages in words, and says at 80 % that it is near', async () => {
    const { api, agent, model } = await place({ budget: { day: { messages: 5 } } });
    model.says({ text: 'Yes.' });
    for (let i = 0; i < 4; i++) expect((await ask(api, agent)).status).toBe(200);
    expect((await usage(api, agent)).notices).toEqual([
      expect.stringMatching(/^80 % of the budget of the agent Helper are used: 4 of 5 messages a day\. /),
    ]);
    expect((await ask(api, agent)).status).toBe(200);
    const refused = await ask(api, agent);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.body.error.message).toMatch(
      /^The budget of the agent Helper allows 5 messages a day, and 5 are used\. /,
    );
    expect(refused.body.error.message).toMatch(ANEW);
    expect(await usage(api, agent)).toMatchObject({ day: { messages: 5 } });
  });

  it('is told of to the owners, once, where it is near its end', { tags: 'slow' }, async () => {
    const { api, agent, model, workspace } = await place({ budget: { day: { messages: 5 } } });
    const member = await workspace.person('member');
    model.says({ text: 'Yes.' });
    for (let i = 0; i < 4; i++) expect((await ask(api, agent)).status).toBe(200);
    const about = () => mail.mails.filter(({ to }) => to.includes(workspace.owner.email));
    await expect.poll(() => about().length).toBeGreaterThan(0);
    expect((await ask(api, agent)).status).toBe(200);
    expect(about()).toMatchObject([{ to: [workspace.owner.email] }]);
    expect(about()[0]!.text).toMatch(
      /80 % of the budget of the agent Helper are used: 4 of 5 messages a day/,
    );
    expect(mail.mails.flatMap(({ to }) => to)).not.toContain(member.email);
  });

  it('holds when many come at once', async () => {
    const { api, agent, model, workspace } = await place({ budget: { month: { messages: 10 } } });
    model.says({ text: 'Yes.' });
    const key = house.by(workspace.owner.token, workspace);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => ask(n % 2 ? api : key, agent).then(({ status }) => status)),
    );
    const counted = (await usage(api, agent)).month.messages as number;
    expect(answers.filter((status) => status === 200)).toHaveLength(counted);
    expect(counted).toBe(10);
    expect(answers.filter((status) => status === 403).length).toBeGreaterThan(0);
  });

  it('refuses runs to the model, which hears why', async () => {
    const { api, agent, script, model } = await place({ budget: { day: { runs: 2 } } });
    model.says(running(script, 5), { text: 'Two of five.' });
    const { body } = await ask(api, agent);
    expect(body.runs).toHaveLength(2);
    const refused = model.results.filter((text) => text.startsWith('quota_exceeded: '));
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatch(/The budget of the agent Helper allows 2 runs a day, and 2 are used/);
    expect((await api.get('/v1/runs')).body.items).toHaveLength(2);
  });

  it('stops a message whose tokens are used up, and refuses the next', async () => {
    const { api, agent, model } = await place({ budget: { day: { tokens: 1000 } } });
    model.says({ calls: [{ name: 'get_run', input: { runId: 'none' } }], tokens: [900, 200] });
    const { status, body } = await ask(api, agent);
    expect([status, body.ending, model.requests.length]).toEqual([200, 'budget', 1]);
    expect(body.message.content).toMatch(
      /^The agent stopped\. The budget of the agent Helper allows 1,000 tokens/,
    );
    const refused = await ask(api, agent);
    expect([refused.status, model.requests.length]).toEqual([403, 1]);
    expect(refused.body.error.message).toMatch(/allows 1,000 tokens a day, and 1,100 are used/);
  });

  it('limits money', async () => {
    const { api, agent, model } = await place({ budget: { month: { cost: 0.01 } } });
    model.says({ text: 'Costly.', tokens: [2000, 1000] });
    expect((await ask(api, agent)).status).toBe(200);
    expect((await ask(api, agent)).body.error.message).toMatch(
      /allows 0\.01 USD a month, and 0\.021 are used/,
    );
  });

  it('believes no endpoint that reports fewer tokens than none, or more than there are', async () => {
    const { api, agent, model } = await place();
    model.says({ text: 'Cheap.', tokens: [-5000, -1] });
    expect((await ask(api, agent)).body.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
    model.says({ text: 'Dear.', tokens: [Number.MAX_VALUE, 1] });
    await ask(api, agent);
    expect((await usage(api, agent)).day.tokens).toBe(10_000_001);
  });

  it.each([
    [{ day: { runs: -1 } }, 'budget.day.runs'],
    [{ day: { runs: 1.5 } }, 'budget.day.runs'],
    [{ day: { tokens: 1e13 } }, 'budget.day.tokens'],
    [{ week: { runs: 1 } }, 'budget.week'],
    [{ day: { calls: 1 } }, 'budget.day.calls'],
    [{ day: 7 }, 'budget.day'],
    ['much', 'budget'],
  ])('is none of %j', async (budget, path) => {
    const { api, agent } = await place();
    const { status, body } = await api.patch(`/v1/agents/${agent}`, { budget });
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  it('cannot limit money where no price is set', async () => {
    const workspace = await newWorkspace();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    const made = await api.post('/v1/agents', { slug: 'a', name: 'A', budget: { day: { cost: 1 } } });
    expect([made.status, made.body.error.message]).toEqual([
      400,
      expect.stringMatching(/GATEHOUSE_MODEL_PRICE/),
    ]);
  });
});

describe("A member's budget", () => {
  it('counts for all of their agents together, and for nobody else', async () => {
    const { api, agent, workspace, model } = await place();
    const set = await api.patch('/v1/workspace/agent-settings', { memberBudget: { day: { messages: 1 } } });
    expect([set.status, set.body]).toEqual([200, { memberBudget: { day: { messages: 1 } } }]);
    const second = await newAgent(api);
    model.says({ text: 'Yes.' });
    expect((await ask(api, agent)).status).toBe(200);
    const refused = await ask(api, second);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringMatching(/^The budget of each member's agents allows 1 messages a day/),
    ]);
    const member = await workspace.person('member');
    const other = house.by(member.token, workspace);
    expect((await ask(other, agent)).status).toBe(200);
    expect((await other.patch('/v1/workspace/agent-settings', { memberBudget: null })).status).toBe(403);
  });
});

describe('The budget of an app', () => {
  it('is its person’s to set, and refuses a tool in words', async () => {
    const { workspace, api, script } = await place();
    const token = await workspace.owner.agent();
    const account = client({ cookie: workspace.owner.cookie });
    const app = (await account.get('/v1/account/apps')).body.items[0] as Json;
    expect(app.budget).toBeNull();
    const path = `/v1/account/apps/${app.id}`;
    expect((await account.patch(path, { budget: { day: { runs: 1 } } })).status).toBe(204);
    const mcp = await mcpClient(token);
    const call = async () => said(await mcp.callTool({ name: script, arguments: {} }));
    expect((await call()).isError).toBe(false);
    const refused = await call();
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringMatching(
        /^quota_exceeded: The budget of the app .+ allows 1 runs a day, and 1 are used\./,
      ),
    ]);
    await mcp.callTool({ name: 'list_scripts', arguments: {} });
    await mcp.close();
    expect((await account.get(`${path}/usage`)).body).toMatchObject({ day: { runs: 1, reads: 1 } });
    const other = await workspace.person('admin');
    const theirs = client({ cookie: other.cookie });
    expect((await theirs.patch(path, { budget: null })).status).toBe(404);
    expect((await theirs.get(`${path}/usage`)).status).toBe(404);
    const { items } = (await api.get('/v1/workspace/audit-events?action=app.budget_changed')).body;
    expect(items).toHaveLength(1);
  });
});

describe('Calls of tools', () => {
  const calledIn = async (api: Client): Promise<Json[]> =>
    (await api.get('/v1/workspace/audit-events?action=agent.tool_called')).body.items as Json[];

  it('that change something are in the audit trail, never with what they were given', async () => {
    const { api, agent, script, model, workspace } = await place();
    const calls = [
      { name: script, input: { hidden: true } },
      { name: 'get_run', input: { runId: 'none' } },
    ];
    model.says({ calls }, { text: 'Done.' });
    const { body } = await ask(api, agent);
    expect(await calledIn(api)).toHaveLength(2);
    const { rows } = await database().query<{ target_id: string; details: Json }>(
      `SELECT target_id, details FROM audit_events WHERE workspace_id = $1 AND action = 'agent.tool_called'`,
      [workspace.id],
    );
    expect(Object.fromEntries(rows.map(({ target_id, details }) => [target_id, details]))).toEqual({
      [script]: { script, runId: body.runs[0].id, failed: false },
      get_run: { failed: true, sampled: true },
    });
    expect((await usage(api, agent)).day.reads).toBe(1);
  });

  it('that only read are counted, and not written down unless the operator wants a sample', async () => {
    const { workspace, script } = await place();
    const mcp = await mcpClient(await workspace.owner.agent());
    await mcp.callTool({ name: 'list_scripts', arguments: {} });
    await mcp.callTool({ name: script, arguments: {} });
    await mcp.close();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    expect((await calledIn(api)).map(({ target }) => target.id as string)).toEqual([script]);
    const { rows } = await database().query(
      `SELECT sum(reads)::int AS reads FROM agent_counters WHERE workspace_id = $1 AND per = 'day' AND subject LIKE 'gra_%'`,
      [workspace.id],
    );
    expect(rows).toEqual([{ reads: 1 }]);
  });
});
