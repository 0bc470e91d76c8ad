import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { expect, it } from 'vitest';

import { draw } from '../../../kit/testing/draw.js';
import { EMPTY_SETTINGS } from './draft.js';
import { useStoredDraft } from './use-stored-draft.js';

it('keeps what was typed over a reload', async () => {
  const first = await drawTab('kept');
  await first.getByRole('button', { name: 'Begin' }).click();
  await first.getByRole('textbox').fill('Greeting');
  await first.unmount();
  const second = await drawTab('kept');
  await expect.element(second.getByRole('textbox')).toHaveValue('Greeting');
  await expect.element(second.getByText('restored')).toBeVisible();
  await expect.element(second.getByText('here', { exact: true })).toBeVisible();
  await second.getByRole('button', { name: 'Forget' }).click();
  await second.unmount();
  const third = await drawTab('kept');
  await expect.element(third.getByRole('button', { name: 'Begin' })).toBeVisible();
});

it('is edited in one tab: the other reads it, and may take over', async () => {
  const one = await drawTab('shared');
  await one.getByRole('button', { name: 'Begin' }).click();
  await one.getByRole('textbox').fill('Of the first');
  const other = await drawTab('shared');
  await expect.element(other.getByText('elsewhere')).toBeVisible();
  await other.getByRole('button', { name: 'Take over' }).click();
  await expect.element(one.getByText('elsewhere')).toBeVisible();
  await expect.element(other.getByText('here', { exact: true })).toBeVisible();
  // What is typed where it is not edited any more is not kept.
  await one.getByRole('textbox').fill('Too late');
  await other.getByRole('textbox').fill('Of the second');
  await one.unmount();
  await other.unmount();
  const next = await drawTab('shared');
  await expect.element(next.getByRole('textbox')).toHaveValue('Of the second');
});

/** As many as are drawn hold locks as tabs do. */
async function drawTab(name: string) {
  const rootRoute = createRootRoute({ component: () => <Tab name={name} /> });
  const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() });
  const { locator, unmount } = await draw(<RouterProvider router={router as never} />);
  return Object.assign(locator, { unmount });
}

function Tab({ name }: { name: string }) {
  const { draft, ready, restored, editedAt, takeOver, begin, change, forget } = useStoredDraft(name);
  if (!ready) return null;
  if (draft === null) {
    const empty = {
      name: '',
      slug: '',
      description: '',
      files: [],
      settings: EMPTY_SETTINGS,
      exists: false,
      made: null,
      base: null,
    };
    return (
      <button type="button" onClick={() => begin(empty, { keep: true })}>
        Begin
      </button>
    );
  }
  return (
    <section>
      <p>{editedAt}</p>
      <p>{restored ? 'restored' : 'new'}</p>
      <input
        type="text"
        value={draft.name}
        onChange={({ target }) => change((before) => ({ ...before, name: target.value }))}
      />
      <button type="button" onClick={takeOver}>
        Take over
      </button>
      <button type="button" onClick={() => void forget()}>
        Forget
      </button>
    </section>
  );
}
