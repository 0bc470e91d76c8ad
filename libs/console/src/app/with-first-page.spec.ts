import { describe, expect, it } from 'vitest';

import { type Page, withFirstPage } from './with-first-page.js';

const page = (ids: string, nextCursor: string | null = 'on'): Page => ({
  items: [...ids].map((id) => ({ id })),
  nextCursor,
});
const list = (...pages: Page[]) => ({ pages, pageParams: pages.map((_, index) => index) });
const idsOf = ({ pages }: { pages: Page[] }) => pages.map(({ items }) => items.map(({ id }) => id).join(''));

describe('withFirstPage', () => {
  it('pushes down what is not on the first page any more', () => {
    const data = list(page('wvu'), page('tsr'), page('qp', null));
    expect(idsOf(withFirstPage(data, page('yxw')))).toEqual(['yxw', 'vutsr', 'qp']);
  });

  it('changes nothing where nothing is new', () => {
    const data = list(page('wvu'), page('tsr'));
    expect(withFirstPage(data, page('wvu'))).toEqual(data);
  });

  it('leaves out what is gone, and does not show twice what has moved up', () => {
    const data = list(page('wvu'), page('tsr'));
    expect(idsOf(withFirstPage(data, page('wut')))).toEqual(['wut', 'sr']);
  });

  it('begins anew where more has been pushed down than is drawn', () => {
    const long = (from: number, count: number): Page => ({
      items: Array.from({ length: count }, (_, at) => ({ id: String(99_999 - from - at) })),
      nextCursor: 'on',
    });
    const first = long(0, 50);
    expect(withFirstPage(list(long(10, 50), long(60, 480)), first).pages).toHaveLength(2);
    expect(withFirstPage(list(long(10, 50), long(60, 500)), first)).toEqual(list(first));
  });

  it('begins anew where it is not known what lies between', () => {
    const data = list(page('wvu'), page('tsr'));
    expect(withFirstPage(data, page('zyx'))).toEqual(list(page('zyx')));
    expect(idsOf(withFirstPage(data, page('', null)))).toEqual(['']);
    expect(idsOf(withFirstPage(data, page('ws', null)))).toEqual(['ws']);
  });
});
