import type { Alert, AlertInput } from '@gatehouse/client/operations';

export type Condition = NonNullable<AlertInput['on']>[number];

export const CONDITION_WORDS: Record<Condition, string> = {
  failed: 'Each run that fails',
  firstFailure: 'The first failure after a success',
  recovered: 'A success after a failure',
  'run.unplaceable': 'A run that no worker can take',
  'schedule.missed': 'Times of a schedule that were missed',
  'endpoint.disabled': 'A webhook endpoint that was switched off',
  'hook.refused': 'A request that a hook refused',
  'error.new': 'An error that is new, or comes again after it was resolved',
};

export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  mail: 'Mail',
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
  ntfy: 'ntfy',
  pagerduty: 'PagerDuty',
  webhook: 'Webhook',
};

/** What a rule tells of, each in a line. */
export function conditionLines({ on, slow, notSucceededFor }: Alert): string[] {
  return [
    ...on.map((condition) => CONDITION_WORDS[condition]),
    ...(slow?.seconds ? [`A run that takes longer than ${slow.seconds} s`] : []),
    ...(slow?.factor ? [`A run that takes ${slow.factor} times what is usual`] : []),
    ...(notSucceededFor === null ? [] : [`No success for ${notSucceededFor}`]),
  ];
}

export function destinationText({ destination: { channel, host, to } }: Alert): string {
  const name = CHANNEL_WORDS[channel] ?? channel;
  if (host !== null) return `${name}, ${host}`;
  if (channel !== 'mail') return name;
  return to.length === 0 ? `${name} to owners and admins` : `${name} to ${to.join(', ')}`;
}
