import type { Run } from '../context.js';
import { green } from '../terminal/colours.js';
import { say } from '../terminal/say.js';

/** What starts scripts by itself. */
type Automations = 'schedules' | 'triggers';

export const pausing = (kind: Automations): Run => switching(kind, false);
export const resuming = (kind: Automations): Run => switching(kind, true);

function switching(kind: Automations, enabled: boolean): Run {
  return async ({ args, gatehouse }) => {
    const { name } = await (await gatehouse())[kind].update(args[0]!, { enabled });
    say(`${green('✓')} ${name} ${enabled ? 'goes on' : 'is paused'}.`);
  };
}

export function deleting(kind: Automations): Run {
  return async ({ args, gatehouse }) => {
    await (await gatehouse())[kind].delete(args[0]!);
    say(`${green('✓')} ${args[0]} is deleted.`);
  };
}
