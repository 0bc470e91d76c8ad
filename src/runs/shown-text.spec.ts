import { describe, expect, it } from 'vitest';

import { maskedHeader, maskedQuery } from './shown-text.js';

describe('what people see of a request', () => {
  it('has no values of parameters and headers that are called like secrets', () => {
    expect(maskedQuery('a=1&api_key=abc;sig=x&author=Ada&x-auth=y&c&=d')).toBe(
      'a=1&api_key=***;sig=***&author=Ada&x-auth=***&c&=d',
    );
    const shown = 'key=prod&keyword=all&session_action=drop&max_tokens=5&passport=no';
    expect(maskedQuery(shown)).toBe(shown);
    expect(maskedQuery('accessToken=a&APIKEY=b&client-secret=c&x.session_id=d')).toBe(
      'accessToken=***&APIKEY=***&client-secret=***&x.session_id=***',
    );
    expect(maskedHeader('X-Amz-Security-Token', 'abc')).toBe('***');
    expect(maskedHeader('X-Auth', 'abc')).toBe('***');
    expect(maskedHeader('Accept', 'text/plain')).toBe('text/plain');
  });

  it('is had at once of a query without an end', () => {
    const query = 'x'.repeat(1_000_000);
    expect(maskedQuery(query)).toBe(query);
  });
});
