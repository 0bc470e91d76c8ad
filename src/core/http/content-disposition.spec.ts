import { describe, expect, it } from 'vitest';

import { attachment } from './content-disposition.js';

describe('attachment', () => {
  it('names a plain file twice, for old and new clients', () => {
    expect(attachment('report-3.tar.gz')).toBe(
      `attachment; filename="report-3.tar.gz"; filename*=UTF-8''report-3.tar.gz`,
    );
  });

  it('encodes what is not ASCII and what would end the value', () => {
    expect(attachment(`Büro "x"; (it's) 100%*.csv`)).toBe(
      `attachment; filename="B_ro _x_; (it's) 100_*.csv"; filename*=UTF-8''B%C3%BCro%20%22x%22%3B%20%28it%27s%29%20100%25%2A.csv`,
    );
  });

  it('lets no line break, folder or half character through', () => {
    expect(attachment('a\r\nset-cookie: b/c\ud800')).toBe(
      `attachment; filename="a__set-cookie: b_c_"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20b%2Fc%EF%BF%BD`,
    );
  });
});
