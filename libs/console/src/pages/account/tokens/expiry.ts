const DAY_MS = 86_400_000;

export const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'No end' },
];

/** When a token of this lifetime (in days) stops working; null for one without an end. */
export function expiryOf(lifetime: string, now: Date): string | null {
  return lifetime === 'never' ? null : new Date(now.getTime() + Number(lifetime) * DAY_MS).toISOString();
}
