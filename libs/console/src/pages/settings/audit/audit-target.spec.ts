import { expect, test } from 'vitest';

import { targetOf } from './audit-target.js';

const place = { workspace: 'acme', environment: '-' };
const of = (action: string, type: string, details: Record<string, unknown>) =>
  targetOf(
    {
      id: 'aud_1',
      action,
      actorType: 'system',
      actor: null,
      credential: null,
      address: null,
      target: { type, id: 'x_1' },
      details,
      createdAt: '',
    },
    place,
  );

test('names what an entry is of, and says where it is', () => {
  expect(of('script.published', 'script', { slug: 'daily', version: 3 })).toEqual({
    kind: 'script',
    name: 'daily',
    link: { to: '/w/$workspace/$environment/scripts/$slug', params: { ...place, slug: 'daily' } },
  });
  expect(of('script.version.created', 'script_version', { slug: 'daily', version: 3 })).toMatchObject({
    name: 'daily 3',
    link: { params: { slug: 'daily', number: '3' } },
  });
  const changed = { script: 'daily', title: 'Nightly', name: { from: 'Nightly', to: 'Early' } };
  expect(of('schedule.updated', 'schedule', changed)).toMatchObject({
    name: 'Nightly',
    link: { params: { slug: 'daily', scheduleId: 'x_1' } },
  });
  expect(of('environment.updated', 'environment', { name: 'staging' })).toMatchObject({
    name: 'staging',
    link: { params: place },
  });
});

test('leads nowhere where nothing is left, or nobody knows', () => {
  expect(of('schedule.deleted', 'schedule', { script: 'daily', name: 'Nightly' })?.link).toBeNull();
  expect(of('schedule.disabled', 'schedule', { name: 'Nightly', reason: 'no script' })).toEqual({
    kind: 'schedule',
    name: 'Nightly',
    link: null,
  });
  expect(of('moon.landed', 'moon', {})).toEqual({ kind: 'moon', name: null, link: null });
  expect(of('run.started', 'run', {})?.name).toBeNull();
});
