import './app/entry-styles.js';
import './app/app.css';

import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';

import { styleNonce } from './api/base.js';
import { configureClient } from './api/client.js';
import { loadSession } from './api/session.js';
import { draw } from './app/draw.js';
import { router } from './app/router.js';

configureClient(async () => (await import('./kit/confirm-person.js')).personConfirmed());
// Asked for beside the code of the page, not after it.
void loadSession().catch(() => undefined);
// Dialogs keep the page behind them from scrolling by a style of their own.
setNonce(styleNonce);

draw(<RouterProvider router={router} />, true);
