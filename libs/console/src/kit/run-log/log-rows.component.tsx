import { useState } from 'react';
import { expect, it } from 'vitest';

import { draw } from '../testing/draw.js';
import { LogRows } from './log-rows.js';
import { useLogSearch } from './use-log-search.js';

const LINES = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`);

it('draws what is in view of ten thousand lines, from its end', async () => {
  const screen = await draw(<Log lines={LINES} />);
  await expect.element(screen.getByText('line 10000', { exact: true })).toBeVisible();
  expect(document.querySelectorAll('[href$="#L1"]')).toHaveLength(0);
  expect(document.querySelectorAll('[href*="#L"]').length).toBeLessThan(100);
});

it('stays with the end while lines come, until one scrolls up', async () => {
  const screen = await draw(<Log lines={LINES.slice(0, 500)} />);
  await screen.rerender(<Log lines={LINES.slice(0, 800)} />);
  await expect.element(screen.getByText('line 800', { exact: true })).toBeVisible();
  const log = screen.getByRole('log').element();
  log.scrollTop -= 2_000;
  await expect.element(screen.getByText('not followed')).toBeVisible();
  const { scrollTop } = log;
  await screen.rerender(<Log lines={LINES.slice(0, 1_000)} />);
  await expect.poll(() => log.scrollHeight).toBeGreaterThan(1_000 * 19);
  expect(log.scrollTop).toBe(scrollTop);
});

it('goes to a line that is chosen', async () => {
  const screen = await draw(<Log lines={LINES} chosen={5_000} />);
  await expect.element(screen.getByText('line 5000', { exact: true })).toBeVisible();
});

it('shows the lines in which a text or an expression is', async () => {
  const screen = await draw(<Log lines={LINES} />);
  await screen.getByRole('textbox').fill('line 77');
  await expect.element(screen.getByText('111 found')).toBeVisible();
  await screen.getByRole('checkbox').click();
  await screen.getByRole('textbox').fill('^line (7|8)$');
  await expect.element(screen.getByText('2 found')).toBeVisible();
  await screen.getByRole('textbox').fill('(');
  await expect.element(screen.getByRole('alert')).not.toBeEmptyDOMElement();
});

it('ends an expression that takes forever, and says so', async () => {
  const screen = await draw(<Log lines={[`${'a'.repeat(60)}!`]} />);
  await screen.getByRole('checkbox').click();
  await screen.getByRole('textbox').fill('^(a+)+$');
  await expect.element(screen.getByRole('alert')).not.toBeEmptyDOMElement();
});

function Log({ lines, chosen = null }: { lines: readonly string[]; chosen?: number | null }) {
  const [follows, setFollows] = useState(chosen === null);
  const search = useLogSearch(lines, lines.length);
  const { hits } = search;
  return (
    <>
      <input type="text" value={search.typed} onChange={({ target }) => search.onTyped(target.value)} />
      <input
        type="checkbox"
        checked={search.isPattern}
        onChange={() => search.onPattern(!search.isPattern)}
      />
      <output>{hits === null ? '' : `${hits.length} found`}</output>
      <span>{follows ? 'followed' : 'not followed'}</span>
      <p role="alert">{search.problem}</p>
      <LogRows
        lines={lines}
        numbers={lines.map((_, index) => index + 1)}
        printed={lines.map(() => null)}
        times={{ kind: 'off', start: 0 }}
        shown={hits}
        count={hits?.length ?? lines.length}
        groups={null}
        onGroup={() => undefined}
        search={search.text}
        ranges={search.ranges}
        height={400}
        wraps={false}
        chosen={chosen}
        follows={follows}
        onFollows={setFollows}
        hrefOf={(number) => `#L${number}`}
        onChoose={() => undefined}
      />
    </>
  );
}
