import type { Settings } from '../core/config/index.js';
import { ConnectionOptions, type SchemaStatus, schemaStatus } from '../core/database/index.js';
import { loadExtensions } from '../core/extensions/index.js';
import { type Answer, tableOf } from './answer.js';
import { withDatabase } from './application.js';

/** Which migrations the database has had, and which the next start would carry out. Changes nothing. */
export async function schema(settings: Settings): Promise<Answer> {
  const extensions = await loadExtensions(settings, process.env);
  return withDatabase(settings, { alongside: true }, async (url) => {
    const connection = new ConnectionOptions(url, settings.databasePool);
    const value = await schemaStatus(connection, extensions);
    const rows = [
      ...value.migrations.map(({ carriedOut, ...of }) => [nameOf(of), carriedOut ? 'done' : 'waits']),
      ...value.unknown.map((of) => [nameOf(of), 'not known here']),
    ];
    const text = `${summaryOf(value)}\n\n${tableOf(['MIGRATION', 'STATE'], rows)}`;
    return { text, value };
  });
}

function summaryOf({ server, migrations, unknown }: SchemaStatus): string {
  const waiting = migrations.filter(({ carriedOut }) => !carriedOut).length;
  const state =
    unknown.length > 0
      ? 'A newer version, or an extension that is not loaded, has changed the database.'
      : waiting > 0
        ? `The next start carries out ${waiting} of ${migrations.length} migrations.`
        : 'The database is up to date.';
  return `${state} It is PostgreSQL ${server}.`;
}

function nameOf({ extension, name }: { extension: string | null; name: string }): string {
  return extension === null ? name : `${extension}: ${name}`;
}
