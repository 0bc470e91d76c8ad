import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { styleNonce } from '../api/base.js';
import { cssVariables, theme } from './theme.js';

const colorScheme = localStorageColorSchemeManager({ key: 'gatehouse-color-scheme' });

/**
 * Draws what the page is, in the console's theme.
 * @param hasVariables whether the kit's variables are in a stylesheet of the page
 */
export function draw(page: ReactNode, hasVariables: boolean): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorScheme}
        defaultColorScheme="auto"
        deduplicateCssVariables={hasVariables}
        getStyleNonce={() => styleNonce}
      >
        {page}
      </MantineProvider>
    </StrictMode>,
  );
}
