import { expect, it } from 'vitest';

import { database } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';
import { newTriggerWorld } from '../support/triggers.js';

it('A change that is ended because it and another wait for each other is made again', async () => {
  const { workspace, api, script } = await newTriggerWorld();
  // Which of two PostgreSQL ends is its own choice, so this ends the first try as it does. A sequence goes on even where
  // what took a number of it is undone.
  await lockingBriefly(`
    CREATE SEQUENCE tries_of_this_test;
    CREATE FUNCTION ends_the_first_try() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries_of_this_test') = 1 THEN RAISE deadlock_detected; END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER ends_the_first_try BEFORE INSERT ON triggers FOR EACH ROW
      WHEN (NEW.workspace_id = '${workspace.id}') EXECUTE FUNCTION ends_the_first_try()`);
  try {
    const created = await api.post(`/v1/scripts/${script.slug}/triggers`, {
      name: 'T',
      eventType: 'run.failed',
    });
    expect(created.status, created.text).toBe(201);
    expect((await database().query('SELECT last_value::int FROM tries_of_this_test')).rows).toEqual([
      { last_value: 2 },
    ]);
    expect((await api.get('/v1/triggers')).body.items).toHaveLength(1);
  } finally {
    await lockingBriefly(`
      DROP TRIGGER ends_the_first_try ON triggers;
      DROP FUNCTION ends_the_first_try;
      DROP SEQUENCE tries_of_this_test`);
  }
});
