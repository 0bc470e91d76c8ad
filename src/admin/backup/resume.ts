import type { Settings } from '../../core/config/index.js';
import { copyState, Database } from '../../core/database/index.js';
import { RESUME } from '../../core/copies/index.js';
import { withApplication } from '../application.js';

/** Has a restored copy do by itself what it says. Processes that run on it notice within a second. */
export function resume(settings: Settings): Promise<string> {
  return withApplication(settings, { alongside: true }, async (app) => {
    const database = app.get(Database);
    if ((await copyState((statement) => database.query(statement))) === 'none') {
      return 'This is no restored copy, or it was resumed before: it holds nothing.';
    }
    await database.execute(RESUME);
    return 'From now on it fires schedules and triggers, sends webhooks and mails and starts runs.';
  });
}
