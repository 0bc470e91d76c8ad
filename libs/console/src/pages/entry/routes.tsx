import { createRoute, redirect } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { loadSession } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';
import { signedIn } from '../../app/signed-in.js';

export const entryRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'sign-in',
    validateSearch: signInSearch,
    // Another page than the app's (`sign-in.html`), so the browser loads it.
    beforeLoad: ({ search, preload }) => {
      if (!preload) throw redirect({ to: '/sign-in', search, reloadDocument: true });
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'sign-in-link',
    component: lazyPage(() => import('./sign-in-link-page.js'), 'SignInLinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'forgot-password',
    component: lazyPage(() => import('./forgot-page.js'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reset-password/$token',
    component: lazyPage(() => import('./reset-page.js'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'invitations/$token',
    beforeLoad: async () => void (await loadSession()),
    component: lazyPage(() => import('./invitation-page.js'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'account-secured',
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } => nextPage(next),
    beforeLoad: signedIn,
    component: lazyPage(() => import('./account-secured-page.js'), 'AccountSecuredPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'welcome',
    beforeLoad: signedIn,
    component: lazyPage(() => import('./welcome-page.js'), 'WelcomePage'),
  }),
];

interface SignInSearch {
  /** The page to go on to: one of this console's. */
  next?: string;
  /** Who is to sign in, as far as that is known. */
  email?: string;
  /** Why a provider's word was not enough. */
  problem?: string;
}

function signInSearch({ next, email, problem }: Record<string, unknown>): SignInSearch {
  return {
    ...nextPage(next),
    ...(typeof email === 'string' && { email }),
    ...(typeof problem === 'string' && { problem }),
  };
}

function nextPage(next: unknown): { next?: string } {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {};
}
