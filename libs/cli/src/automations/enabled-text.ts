import type { Schedule } from '@gatehouse/client';

/** Whether it is on, or why the system has switched it off. */
export function enabledText({
  enabled,
  disabledReason,
}: Pick<Schedule, 'enabled' | 'disabledReason'>): string {
  return enabled ? 'yes' : (disabledReason ?? 'no');
}
