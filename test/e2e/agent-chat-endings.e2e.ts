import { afterEach, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { AgentHouse, ask, askStreaming, newAgent } from '../support/agents.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { auditOf } from '../support/people.js';
import { finished, python, runUntil } from '../support/scripts.js';

const SECONDS = 5;
const SLOW = `import time\ntime.sleep(${SECONDS + 3})\nprint("done after all")`;

/** What becomes of an answer that is not finished, and of what it has begun. */
describe('The answer of an agent', () => {
  let house: AgentHouse;
  afterEach(() => house.close());

  async function place(env: Record<string, string>) {
    house = await AgentHouse.open('openai', { GATEHOUSE_MODEL_SILENCE_SECONDS: '60', ...env });
    const workspace = await newWorkspace();
    const api = house.app(workspace);
    const script = (await python(api, SLOW, { timeout: 20 })).slug;
    return { model: house.model, workspace, api, script, agent: await newAgent(api, [script]) };
  }

  /** The run goes on, and whoever looks at it finds all of it. */
  async function expectRunToSucceed(api: Client, { id }: Json): Promise<void> {
    const run = await runUntil(api, id, finished);
    expect(run).toMatchObject({
      status: 'succeeded',
      output: 'done after all',
      interface: 'mcp',
      startedBy: { credentialName: 'Helper' },
    });
    expect((await api.get('/v1/runs')).body.items).toHaveLength(1);
  }

  const timed = { GATEHOUSE_MODEL_ANSWER_SECONDS: String(SECONDS) };

  it('ends when its time is over, while its run goes on', { tags: 'slow' }, async () => {
    const { model, workspace, api, script, agent } = await place(timed);
    model.says({ text: 'One moment. ', calls: [{ name: script, input: {} }] }, { text: 'never asked' });
    const { events } = await askStreaming(house, workspace, agent);
    const told = events.filter(({ event }) => event === 'run').map(({ data }) => data.run.status);
    expect(told.at(-1)).toBe('running');
    const last = events.at(-1)!;
    expect(last.event).toBe('done');
    expect(last.data).toMatchObject({
      ending: 'time',
      message: { role: 'assistant', content: 'One moment. ' },
      runs: [{ status: 'running', script: { slug: script } }],
    });
    await expectRunToSucceed(api, last.data.runs[0]);
    expect(model.requests).toHaveLength(1);
    const [entry] = await auditOf(workspace, last.data.runs[0].id);
    expect(entry).toMatchObject({ action: 'run.started', actorUserId: workspace.owner.id });
  });

  it(
    'says so where it had not come to say anything, and asks the model no more',
    { tags: 'slow' },
    async () => {
      const { model, api, agent } = await place(timed);
      model.says({ text: '', stalls: true });
      const { status, body } = await ask(api, agent);
      expect([status, body.ending, body.message.content]).toEqual([
        200,
        'time',
        `The agent stopped after ${SECONDS} seconds. Its runs go on.`,
      ]);
      await expect.poll(() => model.abandoned).toBe(1);
    },
  );

  it('is broken off, in words, by the end of the process', { tags: 'slow' }, async () => {
    const { model, workspace, script, agent } = await place({});
    model.says({ calls: [{ name: script, input: {} }] }, { text: 'I wait', stalls: true });
    const ended = new Promise<number | null>((done) => house.process.process.once('exit', done));
    let isTold = false;
    const { status, events } = await askStreaming(house, workspace, agent, ({ event }) => {
      if (event === 'text' && !isTold) {
        isTold = true;
        house.process.process.kill('SIGTERM');
      }
      return false;
    });
    expect(status).toBe(200);
    expect(events.at(-1)).toMatchObject({
      event: 'error',
      data: {
        error: { code: 'unavailable', message: 'The answer was broken off. Runs that were started go on.' },
      },
    });
    expect(await ended).toBe(0);
    await expect.poll(() => model.abandoned).toBe(1);
    expect(model.requests).toHaveLength(2);
    const run = events.find(({ event }) => event === 'run')!.data.run as Json;
    const { token } = workspace.owner;
    await expectRunToSucceed(client({ token, workspace: workspace.slug }), run);
  });
});
