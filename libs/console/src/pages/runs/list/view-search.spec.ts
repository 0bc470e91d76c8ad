import { describe, expect, it } from 'vitest';

import { searchOfView, viewOf } from './view-search.js';

describe('a saved view', () => {
  it('is the filter as it stands in the address', () => {
    const search = {
      status: 'failed,cancelled',
      since: 'day',
      label: ['team=a', 'b'],
      q: '1',
      minSeconds: 60,
    };
    expect(searchOfView(viewOf(search))).toEqual(search);
    expect(viewOf({ since: 'day', status: 'failed' })).toBe('since=day&status=failed');
    expect(viewOf({ status: 'failed', since: 'day' })).toBe('since=day&status=failed');
  });

  it('counts where it is understood', () => {
    expect(searchOfView('status=failed&colour=red&since=soon')).toEqual({ status: 'failed' });
    expect(searchOfView('%')).toEqual({});
  });
});
