import './app/entry-styles.js';
import './app/app.css';

import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { basePath, styleNonce } from './api/base.js';
import { configureClient } from './api/client.js';
import { loadSession } from './api/session.js';
import { router } from './app/router.js';
import { cssVariables, theme } from './app/theme.js';

configureClient();
// Asked for beside the code of the page, not after it.
void loadSession().catch(() => undefined);
if (location.pathname.startsWith(`${basePath}/w/`)) void import('./app/workspace-frame.js');
// Dialogs keep the page behind them from scrolling by a style of their own.
setNonce(styleNonce);

const colorScheme = localStorageColorSchemeManager({ key: 'gatehouse-color-scheme' });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorScheme}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <RouterProvider router={router} />
    </MantineProvider>
  </StrictMode>,
);
