import type { Alert, AlertInput, AlertPatch } from '@gatehouse/client/operations';

import type { Condition } from './alert-words.js';

/** A rule as its form has it. */
export interface AlertDraft {
  name: string;
  script: string;
  schedule: string | null;
  on: Condition[];
  slowSeconds: number | string;
  slowFactor: number | string;
  notSucceededFor: string;
  channel: string;
  /** Empty where it is to stay as it is: nobody is shown it again. */
  url: string;
  to: string[];
  groupSeconds: number | string;
  quietFrom: string;
  quietTo: string;
}

export const NEW_RULE: AlertDraft = {
  name: '',
  script: '',
  schedule: null,
  on: ['firstFailure', 'recovered'],
  slowSeconds: '',
  slowFactor: '',
  notSucceededFor: '',
  channel: 'slack',
  url: '',
  to: [],
  groupSeconds: 300,
  quietFrom: '',
  quietTo: '',
};

export const draftOf = (rule: Alert): AlertDraft => ({
  name: rule.name,
  script: rule.script ?? '',
  schedule: rule.schedule,
  on: rule.on,
  slowSeconds: rule.slow?.seconds ?? '',
  slowFactor: rule.slow?.factor ?? '',
  notSucceededFor: rule.notSucceededFor ?? '',
  channel: rule.destination.channel,
  url: '',
  to: rule.destination.to,
  groupSeconds: rule.groupSeconds ?? NEW_RULE.groupSeconds,
  quietFrom: rule.quietHours?.from ?? '',
  quietTo: rule.quietHours?.to ?? '',
});

export function inputOf(draft: AlertDraft, timeZone: string): AlertInput {
  const { name, script, schedule, on, slowSeconds, slowFactor, notSucceededFor, groupSeconds } = draft;
  const { channel, url, to, quietFrom, quietTo } = draft;
  const slow = { seconds: numberOf(slowSeconds), factor: numberOf(slowFactor) };
  return {
    name,
    // A schedule has its script.
    script: script === '' || schedule !== null ? null : script,
    schedule,
    on,
    slow: slow.seconds === null && slow.factor === null ? null : slow,
    notSucceededFor: notSucceededFor === '' ? null : notSucceededFor,
    destination: channel === 'mail' ? { channel, to } : { channel, url },
    ...(typeof groupSeconds === 'number' && { groupSeconds }),
    quietHours: quietFrom === '' && quietTo === '' ? null : { from: quietFrom, to: quietTo, timeZone },
  };
}

/** What of a rule differs from what it was. What it is about never does. */
export function patchOf(rule: Alert, draft: AlertDraft, timeZone: string): AlertPatch {
  const was = inputOf(draftOf(rule), timeZone);
  const { script: _, schedule: __, ...input } = inputOf(draft, timeZone);
  const changed = Object.entries(input).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field as keyof AlertInput]),
  );
  return Object.fromEntries(changed);
}

const numberOf = (value: number | string): number | null => (typeof value === 'number' ? value : null);
