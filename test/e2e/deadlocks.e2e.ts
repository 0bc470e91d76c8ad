import { expect, it } from 'vitest';

import type { Answer, Json } from '../../libs/testing/index.js';
import { database } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';
import { newTriggerWorld } from '../support/triggers.js';

/**
 * Makes a trigger, whose first insert PostgreSQL ends by this error. A sequence counts the tries, since it goes on even where what
 * took a number of it is undone.
 */
async function afterFirstEnds(condition: string): Promise<{ created: Answer; tries: number; all: Json[] }> {
  const { workspace, api, script } = await newTriggerWorld();
  await lockingBriefly(`
    CREATE SEQUENCE tries_of_this_test;
    CREATE FUNCTION ends_the_first_try() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries_of_this_test') = 1 THEN RAISE ${condition}; END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER ends_the_first_try BEFORE INSERT ON triggers FOR EACH ROW
      WHEN (NEW.workspace_id = '${workspace.id}') EXECUTE FUNCTION ends_the_first_try()`);
  try {
    const body = { name: 'T', eventType: 'run.failed' };
    const created = await api.post(`/v1/scripts/${script.slug}/triggers`, body);
    const { rows } = await database().query<{ tries: number }>(
      'SELECT last_value::int AS tries FROM tries_of_this_test',
    );
    const { items } = (await api.get('/v1/triggers')).body as { items: Json[] };
    return { created, tries: rows[0]!.tries, all: items };
  } finally {
    await lockingBriefly(`
      DROP TRIGGER ends_the_first_try ON triggers;
      DROP FUNCTION ends_the_first_try;
      DROP SEQUENCE tries_of_this_test`);
  }
}

it('A change that is ended because it and another wait for each other is made again', async () => {
  const { created, tries, all } = await afterFirstEnds('deadlock_detected');
  expect(created.status, created.text).toBe(201);
  expect([tries, all.length]).toEqual([2, 1]);
});

it('A change that the database takes too long for can be sent again', async () => {
  const { created, tries, all } = await afterFirstEnds('query_canceled');
  expect(created.status, created.text).toBe(503);
  expect(created.body).toMatchObject({ error: { code: 'unavailable' } });
  expect(Number(created.headers.get('retry-after'))).toBeGreaterThan(0);
  expect([tries, all]).toEqual([1, []]);
});
