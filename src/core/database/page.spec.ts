import { describe, expect, it } from 'vitest';

import { newId } from '../crypto/index.js';
import { keysetPage } from './page.js';

const rows = Array.from({ length: 7 }, () => ({ id: newId('run') })).reverse();
const fetch = async (after: string | null, count: number) =>
  rows.filter((row) => after === null || row.id < after).slice(0, count);
const identity = { list: 'runs', filters: { workspace: 'a' } };
const page = (cursor?: string, filters: unknown = identity.filters, list = 'runs') =>
  keysetPage({ limit: 3, cursor }, { list, filters }, fetch, (row) => row.id);

describe('keysetPage', () => {
  it('walks the whole list once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await page(cursor);
      seen.push(...items);
      cursor = nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(rows.map((row) => row.id));
  });

  it('has no next page after exactly the last row', async () => {
    const { nextCursor } = await keysetPage({ limit: 7 }, identity, fetch, (row) => row.id);
    expect(nextCursor).toBeNull();
  });

  it('keeps from an item how many rows were found', async () => {
    const measured = async () => rows.slice(0, 2).map((row) => ({ ...row, found: 3 }));
    const { items, nextCursor } = await keysetPage({ limit: 7 }, identity, measured, (row) => row);
    expect(items).toEqual(rows.slice(0, 2));
    expect(nextCursor).not.toBeNull();
  });

  it('refuses a malformed cursor and one of another list or filter', async () => {
    const { nextCursor } = await page();
    await expect(page('nonsense')).rejects.toMatchObject({ status: 400, details: [{ path: 'cursor' }] });
    await expect(page(`${nextCursor}=`)).rejects.toMatchObject({ status: 400 });
    await expect(page(nextCursor!, { workspace: 'b' })).rejects.toMatchObject({ status: 400 });
    await expect(page(nextCursor!, identity.filters, 'files')).rejects.toMatchObject({ status: 400 });
  });
});
