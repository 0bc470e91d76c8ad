import type pg from 'pg';

import { type Settings, SettingsReader } from '../../core/config/index.js';
import { checkDatabase } from '../../core/database/index.js';
import {
  DatabaseSnapshot,
  loadDatabase,
  lockTables,
  rowsOf,
  stateOf,
  withConnection,
} from '../../core/copies/index.js';
import { loadExtensions } from '../../core/extensions/index.js';
import { withDatabase } from '../application.js';
import { CommandRefused } from '../command-refused.js';
import { RUNNING } from './backup.sql.js';
import { OF_PROCESSES } from './take-backup.js';

const NEW_URL = 'GATEHOUSE_NEW_DATABASE_URL';
const STAYS_HELD =
  'The old one was held before, so the new one is as well. Have it go on with: npm run admin -- resume';

/** Copies the database of a stopped instance to another PostgreSQL, and compares the number of rows of each table. */
export async function moveDatabase(settings: Settings): Promise<string> {
  const target = newUrl();
  await checkDatabase(target, NEW_URL);
  const extensions = await loadExtensions(settings, process.env);
  return withDatabase(settings, { alongside: false }, (url) =>
    withConnection(url, async (old) => {
      await lockTables(old);
      await refuseWhileRunning(old);
      const wasHeld = (await stateOf(old)) === 'held';
      const snapshot = await DatabaseSnapshot.open(url, { without: OF_PROCESSES });
      const rows = await loadDatabase(target, snapshot, {
        extensions,
        insteadOf: wasHeld ? undefined : old,
      }).finally(() => snapshot.close());
      return [
        `${rows} rows in ${snapshot.tables.length} tables are in the new database, as many as in the old one.`,
        `Set DATABASE_URL to what ${NEW_URL} is, for every process, and start them. The old database is held: a start on it by`,
        'mistake fires no schedules and sends nothing. Delete it when all is well.',
        ...(wasHeld ? [STAYS_HELD] : []),
      ].join('\n');
    }),
  );
}

function newUrl(): string {
  const reader = new SettingsReader({ [NEW_URL]: process.env[NEW_URL] });
  const url = reader.url(NEW_URL, ['postgres:', 'postgresql:']);
  reader.finish();
  if (url !== null) return url;
  throw new CommandRefused(
    `Give the address of the empty database to move to as ${NEW_URL}, as in DATABASE_URL.`,
  );
}

async function refuseWhileRunning(client: pg.Client): Promise<void> {
  const seen = await rowsOf<{ role: string }>(client, RUNNING);
  if (seen.length === 0) return;
  const roles = seen.map(({ role }) => role).join(', ');
  throw new CommandRefused(
    `Gatehouse still runs on this database (${roles}). Stop all of its processes first; one that was killed counts for 40 seconds more.`,
  );
}
