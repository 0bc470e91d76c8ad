import { describe, expect, it } from 'vitest';

import { catalogueOf, eventDataCheck } from './event-catalogue.js';
import type { EventTypeDefinition } from './event-type.js';

const definition = (over: Partial<EventTypeDefinition> = {}): EventTypeDefinition => ({
  type: 'thing.made',
  description: 'A thing was made.',
  environmentScoped: false,
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  example: { name: 'a' },
  ...over,
});

describe('catalogueOf', () => {
  it('lists types by name', () => {
    const types = [definition(), definition({ type: 'a.made' })];
    expect([...catalogueOf(types).keys()]).toEqual(['a.made', 'thing.made']);
  });

  it.each([
    ['a type defined twice', [definition(), definition()], /thing\.made: is defined twice/],
    ['a malformed type', [definition({ type: 'Thing made' })], /is not a dotted name/],
    ['a missing description', [definition({ description: ' ' })], /has no description/],
    ['a schema that is none', [definition({ schema: { type: 'thing' } })], /its schema cannot be used/],
    ['an unknown format', [definition({ schema: { type: 'string', format: 'moment' } })], /cannot be used/],
    ['an example that does not fit', [definition({ example: {} })], /example does not fit .*'name'/],
  ])('refuses %s', (_, definitions, message) => {
    expect(() => catalogueOf(definitions)).toThrow(message);
  });

  it('names every problem at once', () => {
    const wrong = [definition({ type: 'a', example: {} }), definition({ type: 'b', example: {} })];
    expect(() => catalogueOf(wrong)).toThrow(/a: its example.*b: its example/);
  });
});

describe('eventDataCheck', () => {
  it('says where data does not fit', () => {
    const check = eventDataCheck(definition().schema);
    expect(check({ name: 'a', more: 1 })).toBeNull();
    expect(check({ name: 1 })).toBe('/name must be string');
  });
});
