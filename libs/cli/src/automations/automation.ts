import type { Gatehouse } from '@gatehouse/client';

import type { Run } from '../context.js';
import { idByName } from '../general/by-name.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

/** What starts scripts by itself. */
type Automations = 'schedules' | 'triggers' | 'hooks';

export const scheduleId = ({ schedules }: Gatehouse, text: string): Promise<string> =>
  idByName(text, {
    word: 'schedule',
    prefix: 'sch',
    list: () => schedules.list(),
    nameOf: ({ name }) => name,
  });

export const triggerId = ({ triggers }: Gatehouse, text: string): Promise<string> =>
  idByName(text, { word: 'trigger', prefix: 'trg', list: () => triggers.list(), nameOf: ({ name }) => name });

export const hookId = ({ hooks }: Gatehouse, text: string): Promise<string> =>
  idByName(text, { word: 'hook', prefix: 'hok', list: () => hooks.list(), nameOf: ({ name }) => name });

const ID_OF = { schedules: scheduleId, triggers: triggerId, hooks: hookId };

export const pausing = (kind: Automations): Run => switching(kind, false);
export const resuming = (kind: Automations): Run => switching(kind, true);

function switching(kind: Automations, enabled: boolean): Run {
  return async ({ args, gatehouse }) => {
    const client = await gatehouse();
    const { name } = await client[kind].update(await ID_OF[kind](client, args[0]!), { enabled });
    say(`${green('✓')} ${name} ${enabled ? 'goes on' : 'is paused'}.`);
  };
}

export function deleting(kind: Automations): Run {
  return async ({ args, gatehouse }) => {
    const client = await gatehouse();
    await client[kind].delete(await ID_OF[kind](client, args[0]!));
    say(`${green('✓')} ${args[0]} is deleted.`);
  };
}
