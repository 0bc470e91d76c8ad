import { describe, expect, it } from 'vitest';

import type { Client, Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { hook, newHookWorld, send } from '../support/hooks.js';
import { newSlug, python, run } from '../support/scripts.js';
import { newTriggerWorld, runsUntil, trigger } from '../support/triggers.js';

const causedBy = async (api: Client, id: string, more = ''): Promise<Json> => {
  const { status, body, text } = await api.get(`/v1/runs?causedBy=${id}${more}`);
  expect(status, text).toBe(200);
  return body as Json;
};
const idsOf = ({ items }: Json): string[] => (items as Json[]).map(({ id }) => id as string);
const causeOf = async (api: Client, id: string): Promise<unknown> =>
  (await api.get(`/v1/runs/${id}`)).body.causedBy as unknown;

describe('What caused a run', () => {
  it('is nothing where somebody started it, and the run before where it is run again', async () => {
    const ws = await newWorkspace();
    const api = client({ token: ws.owner.token, workspace: ws.slug });
    const first = (await run(api, await python(api, 'print(1)'))).body;
    expect(first.causedBy).toBeNull();
    const again = (await api.post(`/v1/runs/${first.id}/rerun`)).body;
    const cause = { type: 'rerun', id: first.id as string };
    expect([again.causedBy, await causeOf(api, again.id as string)]).toEqual([cause, cause]);
    expect((await causedBy(api, first.id as string)).items).toMatchObject([
      { id: again.id, causedBy: cause },
    ]);
  });

  it('is the event that fired its trigger, or the run behind that', async () => {
    const { api, script } = await newTriggerWorld();
    const slug = newSlug();
    const onCreated = await trigger(api, script, {
      eventType: 'script.created',
      filter: { 'script.slug': slug },
    });
    const next = await python(api, 'print(2)');
    const onEnd = await trigger(api, next, {
      eventType: 'run.succeeded',
      filter: { 'script.slug': script.slug },
    });
    await api.post('/v1/scripts', { slug, name: slug });
    const [first] = await runsUntil(onCreated, 1);
    const [second] = await runsUntil(onEnd, 1);
    const { rows } = await database().query<{ id: string }>(
      `SELECT id FROM events WHERE type = 'script.created' AND data->'script'->>'slug' = $1`,
      [slug],
    );
    const eventId = rows[0]!.id;
    expect(await causeOf(api, first!.id)).toEqual({ type: 'event', id: eventId });
    expect(await causeOf(api, second!.id)).toEqual({ type: 'run', id: first!.id });
    for (const [cause, caused] of [
      [eventId, first!.id],
      [first!.id, second!.id],
      [onCreated.id, first!.id],
      [onEnd.id, second!.id],
    ]) {
      expect(idsOf(await causedBy(api, cause as string))).toEqual([caused]);
    }
  });

  it('is the schedule or hook, where nothing is behind that', async () => {
    const { api, script } = await newHookWorld();
    const made = await hook(api, script, { verify: { scheme: 'none' } });
    expect((await send(made, '{}')).status).toBe(202);
    const listed = async () => idsOf(await causedBy(api, made.id as string));
    await expect.poll(listed).toHaveLength(1);
    expect(await causeOf(api, (await listed())[0]!)).toEqual({ type: 'hook', id: made.id });
    const schedule = await api.post(`/v1/scripts/${script.slug}/schedules`, {
      name: 'Soon',
      cron: '0 0 1 1 *',
    });
    await database().query('UPDATE schedules SET next_run_at = now() WHERE id = $1', [schedule.body.id]);
    const byTime = async () => idsOf(await causedBy(api, schedule.body.id as string));
    await expect.poll(byTime).toHaveLength(1);
    expect(await causeOf(api, (await byTime())[0]!)).toEqual({ type: 'schedule', id: schedule.body.id });
  });
});

describe('What something caused', () => {
  it('is listed by pages, and to those alone who may see it', async () => {
    const ws = await newWorkspace();
    const api = client({ token: ws.owner.token, workspace: ws.slug });
    const first = (await run(api, await python(api, 'print(1)'))).body.id as string;
    const again: string[] = [];
    for (let count = 0; count < 3; count++) {
      again.unshift((await api.post(`/v1/runs/${first}/rerun`)).body.id as string);
    }
    const page = await causedBy(api, first, '&limit=2');
    const rest = await causedBy(api, first, `&limit=2&cursor=${page['nextCursor']}`);
    expect([idsOf(page), idsOf(rest), rest['nextCursor']]).toEqual([again.slice(0, 2), again.slice(2), null]);
    expect((await causedBy(api, newId('run'))).items).toEqual([]);
    expect((await causedBy(api, first, '&status=failed')).items).toEqual([]);
    const other = await newWorkspace();
    const stranger = client({ token: other.owner.token, workspace: other.slug });
    expect((await causedBy(stranger, first)).items).toEqual([]);
  });
});
