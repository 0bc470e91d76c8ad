import type { InfiniteData } from '@tanstack/react-query';
import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { type Column, Listing } from './listing.js';
import { draw } from './testing/draw.js';

interface Fruit {
  id: string;
  name: string;
}

interface Fruits {
  items: Fruit[];
  nextCursor: string | null;
}

const COLUMNS: Column<Fruit>[] = [{ id: 'name', header: 'Name', cell: ({ name }) => name }];
const fruits = (from: number, count: number): Fruit[] =>
  Array.from({ length: count }, (_, index) => ({ id: `f${from + index}`, name: `Fruit ${from + index}` }));

it('adds a page at its end, and says that there is none any more', async () => {
  const screen = await drawList(async (cursor) =>
    cursor === null ? { items: fruits(1, 3), nextCursor: 'more' } : { items: fruits(4, 2), nextCursor: null },
  );
  await expect.element(screen.getByRole('cell', { name: 'Fruit 3', exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Show more' }).click();
  await expect.element(screen.getByRole('cell', { name: 'Fruit 5', exact: true })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

it('draws what is in view of a long list', async () => {
  const screen = await drawList(async () => ({ items: fruits(1, 2_000), nextCursor: null }));
  await expect.element(screen.getByRole('cell', { name: 'Fruit 1', exact: true })).toBeVisible();
  expect(document.querySelectorAll('tbody tr').length).toBeLessThan(100);
  window.scrollTo(0, document.documentElement.scrollHeight);
  await expect.element(screen.getByRole('cell', { name: 'Fruit 2000', exact: true })).toBeVisible();
  expect(document.querySelectorAll('tbody tr').length).toBeLessThan(100);
});

it('chooses a range of rows with Shift, and all of them at the head', async () => {
  const screen = await drawList(async () => ({ items: fruits(1, 5), nextCursor: null }));
  const box = (number: number) => screen.getByRole('checkbox', { name: `Choose Fruit ${number}` });
  await box(2).click();
  await userEvent.keyboard('{Shift>}');
  await box(4).click();
  await userEvent.keyboard('{/Shift}');
  await expect.element(screen.getByText('f2 f3 f4', { exact: true })).toBeVisible();
  await screen.getByRole('checkbox', { name: 'Choose all that are shown' }).click();
  await expect.element(screen.getByText('f1 f2 f3 f4 f5')).toBeVisible();
});

it('asks again where a page could not be read', async () => {
  let asked = 0;
  const screen = await drawList(async () => {
    if (asked++ === 0) throw new Error('The service is away.');
    return { items: fruits(1, 1), nextCursor: null };
  });
  await screen.getByRole('button', { name: 'Try again' }).click();
  await expect.element(screen.getByRole('cell', { name: 'Fruit 1', exact: true })).toBeVisible();
});

it('says what to do where there is nothing', async () => {
  const screen = await drawList(async () => ({ items: [], nextCursor: null }));
  await expect.element(screen.getByText('Plant a tree.')).toBeVisible();
});

function drawList(page: (cursor: string | null) => Promise<Fruits>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return draw(
    <QueryClientProvider client={client}>
      <FruitList page={page} />
    </QueryClientProvider>,
  );
}

function FruitList({ page }: { page: (cursor: string | null) => Promise<Fruits> }) {
  const [ids, setIds] = useState<string[]>([]);
  const query = useInfiniteQuery<Fruits, Error, InfiniteData<Fruits>, string[], string | null>({
    queryKey: ['fruits'],
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return (
    <>
      <output>{ids.join(' ')}</output>
      <Listing
        label="Fruits"
        query={query}
        columns={COLUMNS}
        empty="Plant a tree."
        chosen={{ ids, onChange: setIds, nameOf: ({ name }) => name }}
      />
    </>
  );
}
