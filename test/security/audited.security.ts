import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer } from '../../libs/testing/index.js';
import { AUDIT_ACTIONS } from '../../src/audit/audit.actions.js';
import { database } from '../support/gatehouse.js';
import { lockingBriefly } from '../support/locking.js';
import { bodyOf, fill, headersOf, send } from './support/matrix/request.js';
import { routesOf } from './support/matrix/route-line.js';
import { ROUTES } from './support/matrix/routes.js';
import { snapshotOf } from './support/matrix/snapshot.js';
import { ChangedWorld } from './support/matrix/world.js';

/** Every route that changes something of a workspace. Whether the table is whole is seen in matrix.security.ts. */
const changes = routesOf(ROUTES).filter(
  ({ method, access, silent }) => method !== 'GET' && access !== 'public' && !silent,
);

const CREDENTIALS = { session: null, api_key: 'api_key', personal_token: 'pat', agent: 'pat' };

/** Makes writing down fail, for the workspaces that are told to it. */
const REFUSE = `
  CREATE TABLE test_unaudited (id text PRIMARY KEY);
  CREATE FUNCTION test_refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM test_unaudited u WHERE u.id = NEW.workspace_id) THEN
      RAISE EXCEPTION 'The test lets nothing be written down here.';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER test_refuse_audit BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION test_refuse_audit()`;
const ADMIT = `
  DROP TRIGGER test_refuse_audit ON audit_events;
  DROP FUNCTION test_refuse_audit;
  DROP TABLE test_unaudited`;

beforeAll(() => lockingBriefly(REFUSE));
afterAll(() => lockingBriefly(ADMIT));

const worlds = new ChangedWorld();

describe('every change is written down in the transaction that makes it', () => {
  it.each(changes.map((route) => [route.name, route] as const))('%s', async (_, route) => {
    let seen: Answer | undefined;
    let isUnchanged: boolean | undefined;
    const isMade = await worlds.use(async (world) => {
      const { id, owner } = world.workspace;
      const path = fill(route.path, await world.addressesFor(route)) + (route.query ?? '');
      const [caller] = await world.entitled(route);
      const headers = await headersOf(caller!, route);
      const body = await bodyOf(route, world);
      const before = await snapshotOf(world.workspace);
      const entries = await entriesOf(id);

      await database().query('INSERT INTO test_unaudited VALUES ($1)', [id]);
      seen = await send(route.method, path, headers, body);
      await database().query('DELETE FROM test_unaudited WHERE id = $1', [id]);
      isUnchanged = isDeepStrictEqual(await snapshotOf(world.workspace), before);
      if (seen.status !== 500 || !isUnchanged) return false;

      seen = await send(route.method, path, headers, body);
      if (seen.status >= 300) return false;
      const told = (await entriesOf(id)).slice(entries.length);
      expect.soft(told.length).toBeGreaterThan(0);
      expect.soft(told.map((entry) => entry.credential)).toContain(CREDENTIALS[caller!.kind!]);
      for (const entry of told) {
        expect.soft(Object.keys(AUDIT_ACTIONS)).toContain(entry.action);
        expect.soft(entry.actor).toBe(owner.id);
        expect.soft(entry.target).toMatch(/^[a-z_]+ \S+$/);
      }
      return true;
    });
    const change = isUnchanged ? '' : 'a change that is not written down';
    expect(isMade, `${seen?.status} ${seen?.text} ${change}`).toBe(true);
  });
});

interface Entry {
  action: string;
  actor: string | null;
  credential: string | null;
  target: string;
}

async function entriesOf(workspaceId: string): Promise<Entry[]> {
  const { rows } = await database().query<Entry>(
    `SELECT action, actor_user_id AS actor, credential_type AS credential, target_type || ' ' || target_id AS target
     FROM audit_events WHERE workspace_id = $1 ORDER BY id`,
    [workspaceId],
  );
  return rows;
}
