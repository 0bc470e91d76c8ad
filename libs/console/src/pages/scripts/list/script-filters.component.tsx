import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';

import { draw } from '../../../kit/testing/draw.js';
import { ScriptFilters } from './script-filters.js';
import type { ScriptSearch } from './script-search.js';

it('asks for what was typed, and for everything once that is cleared', async () => {
  const { screen, asked } = await drawFilters({});
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search scripts' }), 'report');
  await expect.poll(() => asked.at(-1)).toEqual({ q: 'report' });
  await screen.getByRole('button', { name: 'Clear the search' }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ q: '' });
});

it('takes one filter away and leaves the others', async () => {
  const { screen, asked } = await drawFilters({ q: 'report', status: 'draft' });
  await expect.element(screen.getByRole('combobox', { name: 'Status' })).toHaveValue('Draft');
  await screen.getByRole('combobox', { name: 'Status' }).click();
  await screen.getByRole('option', { name: 'Published' }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ q: 'report', status: 'published' });
  await screen.getByRole('combobox', { name: 'Status' }).click();
  await screen.getByRole('option', { name: 'Published' }).click();
  await expect.poll(() => asked.at(-1)).toEqual({ q: 'report' });
});

it('shows what the address says when one goes back', async () => {
  const { screen } = await drawFilters({ q: 'report' });
  await screen.getByRole('button', { name: 'Back' }).click();
  await expect.element(screen.getByRole('searchbox', { name: 'Search scripts' })).toHaveValue('earlier');
});

async function drawFilters(first: ScriptSearch) {
  const asked: ScriptSearch[] = [];
  const screen = await draw(
    <QueryClientProvider client={new QueryClient()}>
      <Filtered first={first} onAsked={(search) => asked.push(search)} />
    </QueryClientProvider>,
  );
  return { screen, asked };
}

function Filtered({ first, onAsked }: { first: ScriptSearch; onAsked: (search: ScriptSearch) => void }) {
  const [search, setSearch] = useState(first);
  return (
    <>
      <button type="button" onClick={() => setSearch({ q: 'earlier' })}>
        Back
      </button>
      <ScriptFilters
        search={search}
        tags={[]}
        onSearch={(next) => {
          onAsked(next);
          setSearch(next);
        }}
      />
    </>
  );
}
