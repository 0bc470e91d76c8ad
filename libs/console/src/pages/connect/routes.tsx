import { createRoute, redirect } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { loadSession } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';

async function signedIn({ location }: { location: { href: string } }): Promise<void> {
  if (!(await loadSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
}

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
