import { expect, test } from 'vitest';

import { actorOf, credentialOf, wordsOf } from './audit-words.js';

const event = {
  id: 'aud_1',
  action: 'secret.updated',
  actorType: 'user' as const,
  actor: { userId: 'usr_1', name: 'Ada' },
  credential: null,
  address: null,
  target: null,
  details: {},
  createdAt: '2026-01-31T00:00:00Z',
};

test('says who did it and by what', () => {
  expect(actorOf(event)).toBe('Ada');
  expect(credentialOf(event)).toBeNull();
  expect(credentialOf({ ...event, credential: { type: 'pat', name: 'Laptop' } })).toBe(
    'by the token or app Laptop',
  );
  const key = { ...event, actorType: 'api_key' as const, actor: null };
  expect(actorOf({ ...key, credential: { type: 'api_key', name: 'CI' } })).toBe('The API key CI');
  expect(actorOf({ ...event, actorType: 'system', actor: null })).toBe('The system');
});

test('shows an action that it does not know by its name', () => {
  expect(wordsOf('moon.landed')).toBe('moon.landed');
});
