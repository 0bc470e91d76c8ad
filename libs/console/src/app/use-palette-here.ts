import type { SpotlightActionData } from '@mantine/spotlight';
import { useMemo } from 'react';

/** What the open page offers to do, which is done as if it were clicked there. */
export function usePaletteHere(opened: boolean): SpotlightActionData[] {
  return useMemo(() => (opened ? actsHere() : []), [opened]);
}

function actsHere(): SpotlightActionData[] {
  const found = document.querySelectorAll<HTMLElement>(
    '[data-acts] :is(a, button):not(:disabled, [aria-haspopup])',
  );
  return [...found].map((element, at) => {
    const label = element.getAttribute('aria-label') ?? element.textContent.trim();
    // Once the palette has given the focus back.
    return { id: `here ${at} ${label}`, label, onClick: () => void setTimeout(() => element.click()) };
  });
}
