import type { Gatehouse, WorkspaceEvent } from '@gatehouse/client';

import { CommandFailure, WrongUse } from '../failure/command-failure.js';

/** Ids sort by when they were made: in the letters of Crockford's base 32. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** The service sends what came after an id at once; what has not come by then is not there. */
const PATIENCE_MS = 5_000;

/**
 * An event that has happened. There is no route for a single one, but the stream goes on after any id, for an hour and 1,000
 * events: also after the one just before. What comes first may have happened before that.
 *
 * @throws CommandFailure where it is longer ago, or the credential may not see it
 */
export async function pastEvent(gatehouse: Gatehouse, id: string): Promise<WorkspaceEvent> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  try {
    for await (const event of gatehouse.events.follow({ after: idBefore(id), signal: late })) {
      if (!('id' in event) || event.id > id) break;
      if (event.id === id) return event;
    }
  } catch (error) {
    if (!late.aborted) throw error;
  }
  throw new CommandFailure(
    `${id} cannot be sent again: it is more than an hour or 1,000 events ago, or there is no such event that you may see.`,
    'Of an endpoint, deliveries of the last 30 days can be sent again: gatehouse webhooks redeliver',
  );
}

/** The id that sorts directly before another. */
export function idBefore(id: string): string {
  if (!/^evt_[0-9a-hjkmnp-tv-z]{26}$/.test(id)) throw new WrongUse(`"${id}" is no id of an event.`);
  const letters = [...id];
  let at = letters.length - 1;
  while (letters[at] === '0') letters[at--] = LETTERS.at(-1)!;
  letters[at] = LETTERS[LETTERS.indexOf(letters[at]!) - 1]!;
  return letters.join('');
}
