import { describe, expect, it } from 'vitest';

import { unknownPaths } from './known-paths.js';

const SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    owner: { type: ['object', 'null'], properties: { name: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    anything: {},
    either: { oneOf: [{ type: 'string' }, { type: 'object' }] },
  },
};

describe('the paths of a trigger', () => {
  it.each(['id', 'owner', 'owner.name', 'tags.0.name', 'labels.team', 'anything.at.all', 'either.name'])(
    '%s is there, or may be',
    (path) => {
      const inputs = { text: [`It is {{event.data.${path}}}`] };
      expect(unknownPaths(SCHEMA, { filter: { [path]: 1 }, inputs })).toEqual([]);
    },
  );

  it.each(['title', 'id.length', 'owner.email', 'tags.0.id', 'constructor'])('%s is nowhere', (path) => {
    const message = `names ${path}, which no event of this type has`;
    const inputs = { text: { of: `It is {{ event.data.${path} }}` } };
    expect(unknownPaths(SCHEMA, { filter: { [path]: 1 }, inputs })).toEqual([
      { path: `filter.${path}`, message },
      { path: 'inputs.text.of', message },
    ]);
  });

  it('may be any where the schema says nothing of them', () => {
    expect(unknownPaths({ type: 'object' }, { filter: { a: 1 } })).toEqual([]);
    expect(unknownPaths({ type: 'object', properties: {} }, { filter: { a: 1 } })).toEqual([]);
  });
});
