import type { Alert } from '@gatehouse/client';

/** What a rule tells of, in a line. */
export function alertConditions({ on, slow, notSucceededFor }: Alert): string {
  const slowness = [
    ...(slow?.seconds ? [`slow (${slow.seconds} s)`] : []),
    ...(slow?.factor ? [`slow (${slow.factor} times)`] : []),
  ];
  const waiting = notSucceededFor ? [`not succeeded for ${notSucceededFor}`] : [];
  return [...on, ...slowness, ...waiting].join(', ');
}
