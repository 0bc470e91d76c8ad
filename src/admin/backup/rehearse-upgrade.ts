import type { Settings } from '../../core/config/index.js';
import {
  DatabaseSnapshot,
  loadDatabase,
  type RehearsedMigration,
  rehearseMigrations,
} from '../../core/copies/index.js';
import { loadExtensions } from '../../core/extensions/index.js';
import { withDatabase, withTemporaryDatabase } from '../application.js';
import { OF_PROCESSES } from './take-backup.js';

/** Upgrades a copy of the database, which may be in use, and says how long that took and what it locked. */
export function rehearseUpgrade(settings: Settings): Promise<string> {
  return withDatabase(settings, { alongside: true }, (url) =>
    withTemporaryDatabase(async (copy) => {
      const extensions = await loadExtensions(settings, process.env);
      const snapshot = await DatabaseSnapshot.open(url, { without: OF_PROCESSES });
      const rows = await loadDatabase(copy, snapshot, { extensions }).finally(() => snapshot.close());
      const { own, restMs } = await rehearseMigrations(copy, extensions);
      return [
        `On a copy of ${rows} rows, ${own.length} migrations were carried out:`,
        ...own.map(line),
        `What else a start looks at took ${ms(restMs)}. The database itself is as it was.`,
      ].join('\n');
    }),
  );
}

function line({ name, ms: took, locks }: RehearsedMigration): string {
  const locked = locks.map(({ table, mode }) => `${table} (${mode})`).join(', ');
  return `  ${name}: ${ms(took)}, ${locked === '' ? 'locks nothing that is in use' : `locks for as long: ${locked}`}`;
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;
