import type { Settings } from '../../core/config/index.js';
import { resumeCopy } from '../../core/copies/index.js';
import { withDatabase } from '../application.js';

/** Has a restored copy do by itself what it says. Processes that run on it notice within a second. */
export async function resume(settings: Settings): Promise<string> {
  const was = await withDatabase(settings, { alongside: true }, resumeCopy);
  return was === 'none'
    ? 'This is no restored copy, or it was resumed before: it holds nothing.'
    : 'From now on it fires schedules and triggers, sends webhooks and mails and starts runs.';
}
