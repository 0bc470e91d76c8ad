import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { finished, publishedScript, runUntil } from '../support/scripts.js';
import { type Receiver, WebhookBench } from '../support/webhooks.js';
import { client, newWorkspace } from '../support/gatehouse.js';

const ALERTS = '/v1/alerts';
const HOSTILE =
  '<!channel> @channel @all [click](https://evil.example) *b* ``` <https://evil.example|x> \u202e';

describe('an address for alerts', () => {
  it.each([
    'http://example.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://localhost/x',
    'https://metadata.google.internal/x',
    'https://user:password@example.com/x',
    'https://0x7f000001/x',
  ])('is not %s', async (url) => {
    const { owner, slug } = await newWorkspace();
    const api = client({ token: owner.token, workspace: slug });
    const destination = { channel: 'webhook', url };
    const { status, body } = await api.post(ALERTS, { name: 'A', on: ['failed'], destination });
    expect([status, body.error.details[0].path]).toEqual([400, 'destination.url']);
    const made = await api.post(ALERTS, {
      name: 'A',
      on: ['failed'],
      destination: { channel: 'webhook', url: 'https://receiver.example.invalid/x' },
    });
    const changed = await api.patch(`${ALERTS}/${made.body.id}`, { destination });
    expect([changed.status, changed.body.error.details[0].path]).toEqual([400, 'destination.url']);
  });
});

describe('alerts', () => {
  let bench: WebhookBench;
  let mails: MailServer;
  let api: Client;
  let receiver: Receiver;
  let workspaceId: string;
  let slug: string;

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

  const newScene = async (): Promise<void> => {
    const workspace = await bench.workspace();
    api = bench.client(workspace);
    receiver = await bench.receiver();
    ({ id: workspaceId, slug } = workspace);
  };
  const rule = async (fields: object = {}): Promise<Json> => {
    const destination = { channel: 'webhook', url: `${receiver.url}/T0p-s3cret` };
    const input = { name: 'Rule', on: ['failed'], groupSeconds: 10, destination, ...fields };
    const { status, body, text } = await api.post(ALERTS, input);
    expect(status, text).toBe(201);
    return body;
  };
  const failures = (count: number, error = 'exit code 3', name = 'Report') =>
    bench.write(
      workspaceId,
      null,
      Array.from({ length: count }, () => ({
        runId: newId('run'),
        script: { id: 'scr_x', slug: 'report', name },
        error,
        durationMs: 1,
        test: false,
        trial: false,
      })),
      'run.failed',
    );
  const attempted = async (): Promise<number> =>
    (
      await bench.pool.query(
        'SELECT count(*)::int AS n FROM alert_messages WHERE attempts > 0 AND workspace_id = $1',
        [workspaceId],
      )
    ).rows[0].n as number;

  it('show nothing of an address but its host, and keep it sealed', async () => {
    await newScene();
    const { id } = await rule();
    const seen = [
      await api.get(ALERTS),
      await api.get(`${ALERTS}/${id}`),
      await api.patch(`${ALERTS}/${id}`, { name: 'B' }),
      await api.get('/v1/workspace/audit-events'),
    ].map(({ text }) => text);
    const { rows } = await bench.pool.query(
      `SELECT r::text || (SELECT string_agg(e::text, '') FROM events e) AS text FROM alert_rules r`,
    );
    for (const text of [...seen, rows[0].text as string]) expect(text).not.toContain('T0p-s3cret');
    expect(seen[1]).toContain('localhost:');
  });

  it('do not go to this service itself', async () => {
    await newScene();
    const { host } = new URL(bench.gatehouse.baseUrl);
    const destination = { channel: 'webhook', url: `https://${host}/hooks/abc` };
    const { status, body } = await api.post(ALERTS, { name: 'A', on: ['failed'], destination });
    expect([status, body.error.details[0].message]).toEqual([400, 'must not be an address of this service']);
  });

  it('of another workspace do not exist, nor do its scripts', async () => {
    await newScene();
    const { id } = await rule();
    const theirs = api;
    const script = await publishedScript(theirs, { 'main.py': 'print(1)' });
    await newScene();
    for (const path of ['', '/messages']) expect((await api.get(`${ALERTS}/${id}${path}`)).status).toBe(404);
    expect((await api.post(`${ALERTS}/${id}/test`)).status).toBe(404);
    expect((await api.patch(`${ALERTS}/${id}`, { name: 'Mine' })).status).toBe(404);
    expect((await api.delete(`${ALERTS}/${id}`)).status).toBe(404);
    const destination = { channel: 'webhook', url: receiver.url };
    const input = { name: 'A', on: ['failed'], destination, script: script.slug };
    expect((await api.post(ALERTS, input)).body.error.details[0].path).toBe('script');
    await rule();
    await failures(1);
    const [{ event }] = (await receiver.until(1)) as [Json];
    expect(event.workspace.slug).toBe(slug);
  });

  it('end with a log in which secrets are masked', async () => {
    await newScene();
    await api.put('/v1/workspace/secrets/KEY', { value: 'Sup3rS3cretValue!', hosts: [], allowEnv: true });
    const script = await publishedScript(
      api,
      {
        'main.py':
          'import os, sys\nprint("key is", os.environ["KEY"], file=sys.stderr)\nsys.exit(os.environ["KEY"])',
      },
      { env: ['KEY'] },
    );
    await rule();
    const { body } = await api.post(`/v1/scripts/${script.slug}/runs`, {});
    await runUntil(api, body.id as string, finished);
    const [{ body: sent, event }] = (await receiver.until(1)) as [Json];
    expect(event.log.join('\n')).toContain('key is');
    expect(sent).not.toContain('Sup3rS3cretValue!');
  });

  it('are few, however much happens and however many rules there are', { tags: 'slow' }, async () => {
    await newScene();
    for (let count = 0; count < 50; count++) await rule();
    // As many as are dispatched at once.
    await failures(500);
    await expect
      .poll(async () => {
        const { rows } = await bench.pool.query(
          `SELECT (SELECT count(*)::int FROM events WHERE dispatched_at IS NULL) AS told,
             (SELECT count(*)::int FROM alert_sightings) AS waiting,
             (SELECT count(DISTINCT rule_id)::int FROM alert_messages WHERE workspace_id = $1) AS rules`,
          [workspaceId],
        );
        return rows[0];
      })
      .toEqual({ told: 0, waiting: 0, rules: 50 });
    await expect.poll(attempted).toBe(20);
    const { rows } = await bench.pool.query(
      'SELECT max(count)::int AS most, sum(count)::int AS all FROM alert_messages WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(rows[0].all).toBe(50 * 500);
    expect(receiver.received.length).toBeLessThanOrEqual(20);
    const { body } = await api.get(`${ALERTS}?limit=1`);
    const tests = [];
    for (let count = 0; count < 3; count++) tests.push(await api.post(`${ALERTS}/${body.items[0].id}/test`));
    expect(tests.map(({ status }) => status)).toContain(409);
  });

  it('are at most fifty rules', async () => {
    await newScene();
    for (let count = 0; count < 50; count++) await rule();
    const destination = { channel: 'webhook', url: receiver.url };
    expect((await api.post(ALERTS, { name: 'A', on: ['failed'], destination })).status).toBe(409);
  });

  it('hold no mention, link or markup of what people and scripts wrote', async () => {
    await newScene();
    for (const channel of ['slack', 'mattermost', 'teams'])
      await rule({ destination: { channel, url: receiver.url }, name: HOSTILE });
    await failures(1, HOSTILE, HOSTILE);
    await receiver.until(3);
    const bodies = receiver.received.map(({ event }) => event as Json);
    const slack = bodies.find((body) => 'blocks' in body)!;
    expect(slack.text).not.toMatch(/[<>]/);
    const types = (JSON.stringify(slack).match(/"type":"\w+"/g) ?? []).map((type) => type.slice(8, -1));
    expect(types).not.toContain('mrkdwn');
    expect(types.filter((type) => type === 'link')).toHaveLength(1);
    const mattermost = bodies.find((body) => 'text' in body && !('blocks' in body))!;
    const [open = ''] = (mattermost.text as string).split('text\n');
    const parts = (mattermost.text as string).split(open);
    // All that anybody chose is between the two fences, and the fence is nowhere in it.
    expect(open).toMatch(/^`{4,}$/);
    expect(parts).toHaveLength(3);
    expect(parts[2]).toMatch(/^\n\[Open in Gatehouse\]\(http[^)]+\)$/);
    const teams = bodies.find((body) => 'attachments' in body)!;
    expect(JSON.stringify(teams)).not.toContain('TextBlock","text"');
    expect(JSON.stringify(bodies)).not.toContain('\u202e');
  });

  it('put nothing into the headers of a mail', async () => {
    await newScene();
    await rule({ destination: { channel: 'mail' } });
    await failures(1, 'x\r\nBcc: everyone@example.com\r\n\r\nbody', 'Name\r\nBcc: everyone@example.com');
    const [mail] = await mails.received(1);
    expect(mail!.to).toHaveLength(1);
    expect(mail!.headers.bcc).toBeUndefined();
    expect(mail!.headers.subject).toContain('Name Bcc: everyone@example.com failed');
  });
});
