import type { EnvironmentUsage } from '@gatehouse/client/operations';

import { counted } from '../../../kit/counted.js';

/** `2 schedules, 1 trigger, 1 hook, 3 secret values`, or that nothing is there yet. */
export function usageText({ schedules, triggers, hooks, secretValues }: EnvironmentUsage): string {
  const counts: [number, string][] = [
    [schedules, 'schedule'],
    [triggers, 'trigger'],
    [hooks, 'hook'],
    [secretValues, 'secret value'],
  ];
  const parts = counts.flatMap(([count, thing]) => (count === 0 ? [] : [counted(count, thing)]));
  return parts.length > 0 ? parts.join(', ') : 'No schedules, triggers, hooks or secrets';
}
