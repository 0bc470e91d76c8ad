import { createRoute } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { rootRoute } from '../../app/root-route.js';
import { signedIn } from '../../app/signed-in.js';

const textIn = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'string' ? search[name] : undefined;

/** Where apps bring a person who is to connect them. */
export const connectRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'connect/error',
    validateSearch: (search: Record<string, unknown>): { error?: string } => {
      const error = textIn(search, 'error');
      return error === undefined ? {} : { error };
    },
    component: lazyPage(() => import('./connect-error-page.js'), 'ConnectErrorPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'connect/$requestId',
    beforeLoad: signedIn,
    component: lazyPage(() => import('./connect-page.js'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'device',
    validateSearch: (search: Record<string, unknown>): { user_code?: string } => {
      const code = textIn(search, 'user_code');
      return code === undefined ? {} : { user_code: code };
    },
    beforeLoad: signedIn,
    component: lazyPage(() => import('./device-page.js'), 'DevicePage'),
  }),
];
