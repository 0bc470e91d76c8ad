import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { finished, newVersion, python, runUntil, type TestScript } from '../support/scripts.js';
import { answering, type Receiver, WebhookBench } from '../support/webhooks.js';

const ALERTS = '/v1/alerts';
const FAILS = `import sys
for number in range(30): print('line', number, file=sys.stderr)
sys.exit(3)`;
/** Fails where it is told to. */
const EITHER = `import json, os, sys
sys.exit(3 if json.load(open(os.environ['GATEHOUSE_INPUTS']))['fail'] else 0)`;

let bench: WebhookBench;
let mails: MailServer;

beforeAll(async () => {
  mails = await startMailServer();
  bench = await WebhookBench.start({
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'gatehouse@example.com',
  });
});
afterAll(async () => {
  await bench?.close();
  await mails?.stop();
});

interface Scene {
  workspace: TestWorkspace;
  api: Client;
  receiver: Receiver;
}

async function scene(): Promise<Scene> {
  const workspace = await bench.workspace();
  return { workspace, api: bench.client(workspace), receiver: await bench.receiver() };
}

const made = async (api: Client, fields: object): Promise<Json> => {
  const { status, body, text } = await api.post(ALERTS, { name: 'Nightly', ...fields });
  expect(status, text).toBe(201);
  return body;
};
const to = (receiver: Receiver, channel = 'webhook') => ({ channel, url: receiver.url });
const ran = async (api: Client, { slug }: TestScript, inputs: object = {}): Promise<Json> => {
  const { status, body, text } = await api.post(`/v1/scripts/${slug}/runs`, { inputs });
  expect(status, text).toBeLessThan(300);
  return runUntil(api, body.id as string, finished);
};
const messages = async (api: Client, { id }: Json): Promise<Json[]> =>
  (await api.get(`${ALERTS}/${id as string}/messages`)).body.items as Json[];
/** The window of a rule is over. */
const windowOver = async ({ id }: Json): Promise<void> => {
  await bench.pool.query('UPDATE alert_rules SET next_message_at = now() WHERE id = $1', [id]);
  await bench.pool.query(
    `UPDATE alert_messages SET due_at = now() WHERE rule_id = $1 AND status = 'waiting'`,
    [id],
  );
};
const judged = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await bench.pool.query('SELECT count(*)::int AS left FROM alert_sightings');
      return rows[0].left as number;
    })
    .toBe(count);

describe('an alert rule', () => {
  it('is made, listed, changed and deleted, and shows only the host of its address', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, 'print(1)');
    const rule = await made(api, {
      script: script.slug,
      on: ['firstFailure', 'recovered'],
      slow: { factor: 2 },
      notSucceededFor: '26h',
      destination: to(receiver, 'slack'),
      quietHours: { from: '22:00', to: '07:00', timeZone: 'europe/berlin' },
    });
    expect(rule).toEqual({
      id: expect.stringMatching(/^alr_/),
      name: 'Nightly',
      script: script.slug,
      schedule: null,
      on: ['firstFailure', 'recovered'],
      slow: { seconds: null, factor: 2 },
      notSucceededFor: '26h',
      destination: { channel: 'slack', host: `localhost:${receiver.port}`, to: [] },
      groupSeconds: 300,
      quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
      enabled: true,
      deadlineAt: expect.any(String),
      createdByUserId: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const waits = Date.parse(rule.deadlineAt as string) - Date.parse(rule.createdAt as string);
    expect(Math.abs(waits - 26 * 3_600_000)).toBeLessThan(60_000);
    expect((await api.get(ALERTS)).body.items).toEqual([rule]);
    const path = `${ALERTS}/${rule.id as string}`;
    const patch = { notSucceededFor: null, quietHours: null, slow: { seconds: 9 }, groupSeconds: 60 };
    const { body: changed } = await api.patch(path, patch);
    expect(changed).toMatchObject({
      ...patch,
      slow: { seconds: 9, factor: null },
      deadlineAt: null,
      on: rule.on,
    });
    expect((await api.get(path)).body).toEqual(changed);
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    const audit = (await api.get('/v1/workspace/audit-events?limit=3')).body.items as Json[];
    expect(audit.map(({ action }) => action)).toEqual(['alert.deleted', 'alert.updated', 'alert.created']);
    expect(JSON.stringify(audit)).not.toContain('/hook');
  });

  it('names each field that is wrong', async () => {
    const { api, receiver } = await scene();
    const good = { name: 'A', on: ['failed'], destination: to(receiver) };
    const wrong: [fields: object, path: string][] = [
      [{ on: [] }, 'on'],
      [{ on: ['broken'] }, 'on'],
      [{ slow: {} }, 'slow'],
      [{ slow: { seconds: 0 } }, 'slow.seconds'],
      [{ notSucceededFor: '26h' }, 'notSucceededFor'],
      [{ notSucceededFor: '5s' }, 'notSucceededFor'],
      [{ notSucceededFor: '26' }, 'notSucceededFor'],
      [{ groupSeconds: 5 }, 'groupSeconds'],
      [{ quietHours: { from: '7', to: '08:00', timeZone: 'UTC' } }, 'quietHours.from'],
      [{ quietHours: { from: '07:00', to: '08:00', timeZone: 'Mars/Base' } }, 'quietHours.timeZone'],
      [{ quietHours: { from: '07:00', to: '07:00', timeZone: 'UTC' } }, 'quietHours.to'],
      [{ script: 'no-such-script' }, 'script'],
      [{ schedule: 'sch_no' }, 'schedule'],
      [{ destination: { channel: 'pigeon' } }, 'destination.channel'],
      [{ destination: { channel: 'slack' } }, 'destination.url'],
      [{ destination: { channel: 'slack', url: receiver.url, to: [] } }, 'destination.to'],
      [{ destination: { channel: 'mail', to: ['stranger@example.com'] } }, 'destination.to.0'],
      [{ destination: { channel: 'pagerduty', url: receiver.url } }, 'destination.url'],
      [{ destination: { channel: 'ntfy', url: `${receiver.url}/` } }, 'destination.url'],
      [{ destination: { ...to(receiver), color: 'red' } }, 'destination.color'],
    ];
    for (const [fields, path] of wrong) {
      const { status, body } = await api.post(ALERTS, { ...good, ...fields });
      expect([status, body.error?.details?.[0]?.path], JSON.stringify(fields)).toEqual([400, path]);
    }
    const script = await python(api, 'print(1)');
    const ofScript = { ...good, script: script.slug, on: ['failed', 'endpoint.disabled'] };
    expect((await api.post(ALERTS, ofScript)).body.error.details[0].path).toBe('on.1');
  });

  it('answers a repeated request with the rule that it made', async () => {
    const { api, receiver } = await scene();
    const body = { name: 'Once', on: ['failed'], destination: to(receiver) };
    const first = await api.post(ALERTS, body, { 'idempotency-key': 'once' });
    const second = await api.post(ALERTS, body, { 'idempotency-key': 'once' });
    expect(second.body).toEqual(first.body);
    expect((await api.get(ALERTS)).body.items).toHaveLength(1);
  });
});

describe('a failed run', () => {
  it('is told at once, with the end of its log and a link', async () => {
    const { api, receiver, workspace } = await scene();
    const script = await python(api, FAILS);
    const rule = await made(api, { on: ['failed'], destination: to(receiver) });
    const run = await ran(api, script);
    const [{ event, headers }] = (await receiver.until(1)) as [Json];
    expect(event).toMatchObject({
      type: 'alert',
      test: false,
      workspace: { slug: workspace.slug },
      rule: { id: rule.id, name: 'Nightly' },
      title: `${script.slug} failed`,
      count: 1,
      conditions: { failed: 1 },
      link: `${bench.gatehouse.baseUrl}/w/${workspace.slug}/-/runs/${run.id as string}`,
    });
    expect(event.events[0]).toMatchObject({
      condition: 'failed',
      runId: run.id,
      error: expect.stringContaining('exit code 3'),
      script: { slug: script.slug },
    });
    expect(event.log).toEqual(Array.from({ length: 20 }, (_, index) => `line ${index + 10}`));
    expect(headers['webhook-id']).toBe(event.id);
    await expect
      .poll(() => messages(api, rule))
      .toMatchObject([
        { id: event.id, status: 'sent', count: 1, attempts: 1, error: null, runId: run.id, dueAt: null },
      ]);
  });

  it('is told with others where they come within the window, as one message', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, FAILS);
    const rule = await made(api, { on: ['failed'], destination: to(receiver) });
    await ran(api, script);
    await receiver.until(1);
    for (let count = 0; count < 3; count++) await ran(api, script);
    await expect
      .poll(async () => (await messages(api, rule))[0])
      .toMatchObject({ status: 'waiting', count: 3 });
    expect(receiver.received).toHaveLength(1);
    await windowOver(rule);
    const [, { event }] = (await receiver.until(2)) as [Json, Json];
    expect(event).toMatchObject({ title: 'Nightly: 3 × failed', count: 3, conditions: { failed: 3 } });
  });

  it('is told as the first one, and that its script has recovered', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, EITHER, { inputSchema: { type: 'object' } });
    const rule = await made(api, { on: ['firstFailure', 'recovered'], destination: to(receiver) });
    for (const fail of [false, true, true, false, false]) await ran(api, script, { fail });
    const told = () =>
      receiver.received.flatMap(({ event }) => event.events.map((one: Json) => one.condition as string));
    await expect
      .poll(async () => {
        await windowOver(rule);
        return told();
      })
      .toEqual(['firstFailure', 'recovered']);
    await judged(0);
    const { rows } = await bench.pool.query('SELECT failing FROM alert_states WHERE rule_id = $1', [rule.id]);
    expect(rows).toEqual([{ failing: false }]);
    expect(told()).toHaveLength(2);
  });

  it('is told where its error is new, and where that comes again', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, FAILS);
    const rule = await made(api, { on: ['error.new'], destination: to(receiver) });
    await ran(api, script);
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event).toMatchObject({ title: `${script.slug} failed in a new way`, count: 1 });
    expect(event.events[0]).toMatchObject({
      condition: 'error.new',
      error: expect.stringMatching(/^exit code 3/) as string,
    });
    const counted = (count: number) =>
      expect.poll(async () => (await api.get('/v1/errors')).body.items[0].count as number).toBe(count);
    await ran(api, script);
    await counted(2);
    const { items } = (await api.get('/v1/errors')).body;
    await api.post(`/v1/errors/${items[0].id}/resolve`);
    await ran(api, script);
    await counted(3);
    await expect
      .poll(async () => (await messages(api, rule))[0])
      .toMatchObject({ status: 'waiting', count: 1 });
    await windowOver(rule);
    const [, { event: again }] = (await receiver.until(2)) as [Json, Json];
    expect(again).toMatchObject({ title: `An error of ${script.slug} has returned`, count: 1 });
  });

  it('of another script, or of a test, is not told', async () => {
    const { api, receiver } = await scene();
    const [one, other] = [await python(api, FAILS), await python(api, FAILS)];
    const rule = await made(api, { script: one.slug, on: ['failed'], destination: to(receiver) });
    await ran(api, other);
    await newVersion(api, one.slug, { 'main.py': FAILS });
    const tried = await api.post(`/v1/scripts/${one.slug}/versions/2/runs`, {});
    await runUntil(api, tried.body.id as string, finished);
    const run = await ran(api, one);
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.events.map(({ runId }: Json) => runId)).toEqual([run.id]);
    await judged(0);
    expect(await messages(api, rule)).toHaveLength(1);
  });
});

describe('a run that takes long', () => {
  it('is told by its seconds', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, 'import time\ntime.sleep(1.2)');
    await made(api, { slow: { seconds: 1 }, destination: to(receiver) });
    await ran(api, script);
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.title).toMatch(/ took [\d.]+ s, longer than 1 s$/);
  });

  it('is told by what its script usually takes', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, 'print(1)');
    await made(api, { slow: { factor: 3 }, destination: to(receiver) });
    const first = await ran(api, script);
    // Nineteen more, as if they had taken a moment.
    await bench.pool.query(
      `INSERT INTO runs SELECT (jsonb_populate_record(r, jsonb_build_object('id', left(r.id, 26) || lpad(n::text, 4, '0'), 'duration_ms', 10))).*
       FROM runs r, generate_series(1, 19) n WHERE r.id = $1`,
      [first.id],
    );
    await bench.pool.query('UPDATE runs SET duration_ms = 10 WHERE id = $1', [first.id]);
    await newVersion(api, script.slug, { 'main.py': 'import time\ntime.sleep(1)' });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    await ran(api, script);
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.title).toMatch(/ took [\d.]+ s, more than 3 times the /);
  });
});

describe('a success that does not come', () => {
  it('is told once, and again after the next one', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, 'print(1)');
    const rule = await made(api, {
      script: script.slug,
      on: ['recovered'],
      notSucceededFor: '1h',
      groupSeconds: 10,
      destination: to(receiver),
    });
    const late = () =>
      bench.pool.query(
        `UPDATE alert_rules SET last_success_at = now() - interval '2 hours', deadline_at = now() - interval '1 hour' WHERE id = $1`,
        [rule.id],
      );
    await late();
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.title).toBe(`${script.slug} has not succeeded for 1h`);
    expect((await api.get(`${ALERTS}/${rule.id as string}`)).body.deadlineAt).toBeNull();
    await windowOver(rule);
    await ran(api, script);
    await expect
      .poll(async () => {
        await windowOver(rule);
        return receiver.received.map((one) => one.event.title as string);
      })
      .toEqual([event.title, `${script.slug} succeeded again`]);
    expect((await api.get(`${ALERTS}/${rule.id as string}`)).body.deadlineAt).not.toBeNull();
    // Its run has succeeded in time: the event alone would not have to say so.
    await late();
    await expect
      .poll(async () => {
        const { body } = await api.get(`${ALERTS}/${rule.id as string}`);
        return Date.parse(body.deadlineAt) > Date.now();
      })
      .toBe(true);
    expect(await messages(api, rule)).toHaveLength(2);
  });
});

describe('a run that no worker can take', () => {
  it('is told with its tags, once with others in the window, and not as a test or of another script', async () => {
    const { api, receiver, workspace } = await scene();
    const script = await python(api, 'print(1)', { runsOn: ['eu-vpc', 'gpu'] });
    const other = await python(api, 'print(1)', { runsOn: ['eu-vpc'] });
    const rule = await made(api, {
      script: script.slug,
      on: ['run.unplaceable'],
      destination: to(receiver),
    });
    const start = async ({ slug }: TestScript, path = 'runs'): Promise<string> =>
      (await api.post(`/v1/scripts/${slug}/${path}`, {})).body.id as string;
    const runs = [await start(other), await start(script, 'versions/1/runs'), await start(script)];
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event).toMatchObject({
      title: `A run of ${script.slug} waits for a worker that is not there`,
      count: 1,
      conditions: { 'run.unplaceable': 1 },
      link: `${bench.gatehouse.baseUrl}/w/${workspace.slug}/-/runs/${runs[2]!}`,
      events: [
        {
          runId: runs[2],
          script: { slug: script.slug },
          error: 'No worker that is running carries eu-vpc, gpu',
        },
      ],
    });
    for (let count = 0; count < 2; count++) runs.push(await start(script));
    await expect
      .poll(async () => (await messages(api, rule))[0])
      .toMatchObject({ status: 'waiting', count: 2 });
    await windowOver(rule);
    await receiver.until(2);
    expect(receiver.received[1]!.event).toMatchObject({ title: 'Nightly: 2 × run.unplaceable' });
    await api.post(`${ALERTS}/${rule.id as string}/test`);
    await receiver.until(3);
    expect(receiver.received[2]!.event).toMatchObject({ test: true, count: 0 });
    for (const id of runs) await api.post(`/v1/runs/${id}/cancel`);
  });
});

describe('what is no run', () => {
  it('is told: missed times, endpoints that are switched off, requests that are refused', async () => {
    const { api, receiver, workspace } = await scene();
    await made(api, {
      on: ['schedule.missed', 'endpoint.disabled', 'hook.refused'],
      groupSeconds: 10,
      destination: to(receiver),
    });
    const { rows } = await bench.pool.query('SELECT id FROM workspaces WHERE slug = $1', [workspace.slug]);
    const reason = 'because of a test';
    const script = { id: 'scr_x', slug: 'report', name: 'Report' };
    const write = (type: string, data: Record<string, unknown>) =>
      bench.write(rows[0].id as string, null, [data], type);
    await write('schedule.missed', { scheduleId: 'sch_x', script, from: '', to: '', count: 12 });
    await write('webhook_endpoint.disabled', { id: 'whe_x', name: 'hooks.example.com', reason });
    await write('hook.refused', { id: 'hok_x', name: 'Pull requests', reason });
    await expect
      .poll(async () => {
        await bench.pool.query('UPDATE alert_rules SET next_message_at = now()');
        await bench.pool.query(`UPDATE alert_messages SET due_at = now() WHERE status = 'waiting'`);
        return receiver.received.flatMap(({ event }) => event.events.map(({ text }: Json) => text)).sort();
      })
      .toEqual([
        'A schedule of Report was missed 12 times',
        'The hook Pull requests refused a request',
        'The webhook endpoint hooks.example.com was switched off',
      ]);
  });
});

describe('quiet hours', () => {
  it('keep messages until their end, and a change of them counts for what waits', async () => {
    const { api, receiver } = await scene();
    const script = await python(api, FAILS);
    const clock = (minutes: number): string =>
      new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    const quietHours = { from: clock(-60), to: clock(60), timeZone: 'UTC' };
    const rule = await made(api, { on: ['failed'], quietHours, destination: to(receiver) });
    await ran(api, script);
    await expect.poll(() => messages(api, rule)).toMatchObject([{ status: 'waiting' }]);
    const [{ dueAt }] = (await messages(api, rule)) as [Json];
    expect((dueAt as string).slice(11, 16)).toBe(quietHours.to);
    expect(receiver.received).toHaveLength(0);
    await api.patch(`${ALERTS}/${rule.id as string}`, { quietHours: null });
    await receiver.until(1);
  });
});

describe('a destination', () => {
  it.each(['slack', 'mattermost', 'teams', 'webhook'])('%s gets a test as it expects it', async (channel) => {
    const { api, receiver } = await scene();
    const rule = await made(api, { on: ['failed'], destination: to(receiver, channel) });
    const { status, body } = await api.post(`${ALERTS}/${rule.id as string}/test`);
    expect([status, body.test]).toEqual([202, true]);
    const [{ body: sent }] = (await receiver.until(1)) as [Json];
    expect(sent).toContain('A test of the alert rule Nightly');
    await expect.poll(() => messages(api, rule)).toMatchObject([{ id: body.id, status: 'sent', test: true }]);
  });

  it('ntfy gets the topic in JSON, and PagerDuty its key', async () => {
    const { api, receiver } = await scene();
    const ntfy = await made(api, {
      on: ['failed'],
      destination: { channel: 'ntfy', url: `https://localhost:${receiver.port}/our-alerts?auth=x` },
    });
    await api.post(`${ALERTS}/${ntfy.id as string}/test`);
    const [first] = (await receiver.until(1)) as [Json];
    expect(first.path).toBe('/?auth=x');
    expect(first.event).toMatchObject({ topic: 'our-alerts', message: expect.any(String) });
    const pager = await made(api, {
      on: ['failed'],
      destination: {
        channel: 'pagerduty',
        url: `https://localhost:${receiver.port}/v2/enqueue?routing_key=abc123`,
      },
    });
    await api.post(`${ALERTS}/${pager.id as string}/test`);
    const [, second] = (await receiver.until(2)) as [Json, Json];
    expect(second.path).toBe('/v2/enqueue');
    expect(second.event).toMatchObject({
      routing_key: 'abc123',
      event_action: 'trigger',
      dedup_key: `gatehouse-${pager.id as string}-test`,
    });
  });

  it('mail reaches those who are named while they are members, or owners and admins', async () => {
    const { api, workspace } = await scene();
    const person = await workspace.person('member');
    const named = await made(api, {
      on: ['failed'],
      destination: { channel: 'mail', to: [person.email.toUpperCase()] },
    });
    expect(named.destination).toEqual({ channel: 'mail', host: null, to: [person.email] });
    const all = await made(api, { on: ['failed'], destination: { channel: 'mail' } });
    for (const rule of [named, all]) await api.post(`${ALERTS}/${rule.id as string}/test`);
    const sentTo = () =>
      mails.mails.filter(({ text }) => text.includes('By the alert rule Nightly')).flatMap((mail) => mail.to);
    await expect.poll(() => sentTo().sort()).toEqual([person.email, workspace.owner.email].sort());
    const members = (await api.get('/v1/workspace/members')).body.items as Json[];
    const membership = members.find(({ userId }) => userId === person.id)!;
    await api.delete(`/v1/workspace/members/${membership.id as string}`);
    await api.post(`${ALERTS}/${named.id as string}/test`);
    await expect
      .poll(() => messages(api, named))
      .toMatchObject([{ status: 'failed', error: expect.stringContaining('is a member any more') }, {}]);
  });

  it('that does not take a message gets it again, under the same id', async () => {
    const { api, receiver } = await scene();
    receiver.answer = answering(503);
    const script = await python(api, FAILS);
    const rule = await made(api, { on: ['failed'], destination: to(receiver) });
    await ran(api, script);
    await receiver.until(1);
    await expect
      .poll(() => messages(api, rule))
      .toMatchObject([{ status: 'sending', error: 'The receiver responded 503.' }]);
    receiver.answer = answering(200);
    await expect.poll(() => messages(api, rule)).toMatchObject([{ status: 'sent', error: null }]);
    const { received } = receiver;
    expect(received.length).toBeGreaterThan(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await messages(api, rule))[0]!.attempts).toBe(received.length);
  });
});
