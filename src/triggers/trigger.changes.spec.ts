import { describe, expect, it } from 'vitest';

import { changesAuthor } from './trigger.changes.js';

describe('changesAuthor', () => {
  it('is about what it takes from events', () => {
    expect(changesAuthor(['filter'])).toBe(true);
    expect(changesAuthor(['name', 'inputs'])).toBe(true);
    expect(changesAuthor(['name', 'environment', 'enabled'])).toBe(false);
  });
});
