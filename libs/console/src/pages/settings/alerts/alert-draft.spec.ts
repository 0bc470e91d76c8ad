import type { Alert } from '@gatehouse/client/operations';
import { describe, expect, it } from 'vitest';

import { draftOf, inputOf, NEW_RULE, patchOf } from './alert-draft.js';

const ZONE = 'Europe/Berlin';
const RULE = {
  ...{ id: 'alr_1', name: 'Nightly', script: 'export', schedule: null, on: ['failed'], enabled: true },
  ...{ slow: { seconds: null, factor: 2 }, notSucceededFor: '26h', groupSeconds: 300 },
  destination: { channel: 'slack', host: 'hooks.example.com', to: [] },
  quietHours: { from: '22:00', to: '07:00', timeZone: ZONE },
} as unknown as Alert;

const changed = (change: object) => patchOf(RULE, { ...draftOf(RULE), ...change }, ZONE);

describe('the form of an alert rule', () => {
  it('changes nothing of a rule that was only looked at', () => {
    expect(changed({})).toEqual({});
  });

  it.each([
    ['its name', { name: 'Each night' }, { name: 'Each night' }],
    ['how slow is slow', { slowSeconds: 60 }, { slow: { seconds: 60, factor: 2 } }],
    ['that it tells of slow runs', { slowFactor: '' }, { slow: null }],
    ['when it is quiet', { quietFrom: '', quietTo: '' }, { quietHours: null }],
    [
      'where it tells',
      { url: 'https://a.example' },
      { destination: { channel: 'slack', url: 'https://a.example' } },
    ],
    ['whom it tells', { channel: 'mail' }, { destination: { channel: 'mail', to: [] } }],
    ['nothing that it is about', { script: 'import' }, {}],
  ])('changes %s alone', (_, change, patch) => {
    expect(changed(change)).toEqual(patch);
  });

  it('makes a rule of a schedule without naming its script', () => {
    const draft = { ...NEW_RULE, name: 'Nightly', script: 'export', schedule: 'sch_1', slowFactor: 3 };
    expect(inputOf(draft, ZONE)).toMatchObject({
      script: null,
      schedule: 'sch_1',
      slow: { seconds: null, factor: 3 },
    });
  });
});
