import type { EnvironmentUsage } from '@gatehouse/client/operations';

import { counted } from '../../../kit/counted.js';

/** `2 schedules, 1 trigger, 3 secret values`, or that nothing is there yet. */
export function usageText({ schedules, triggers, secretValues }: EnvironmentUsage): string {
  const counts: [number, string][] = [
    [schedules, 'schedule'],
    [triggers, 'trigger'],
    [secretValues, 'secret value'],
  ];
  const parts = counts.flatMap(([count, thing]) => (count === 0 ? [] : [counted(count, thing)]));
  return parts.length > 0 ? parts.join(', ') : 'No schedules, triggers or secrets';
}
