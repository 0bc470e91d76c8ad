import type { EnvironmentUsage } from '@gatehouse/client';

/** `2 schedules, 1 trigger, 3 secret values`, or that nothing is there yet. */
export function usageText({ schedules, triggers, secretValues }: EnvironmentUsage): string {
  const parts = [
    counted(schedules, 'schedule'),
    counted(triggers, 'trigger'),
    counted(secretValues, 'secret value'),
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(', ') : 'No schedules, triggers or secrets';
}

function counted(count: number, thing: string): string | null {
  return count === 0 ? null : `${count} ${thing}${count === 1 ? '' : 's'}`;
}
