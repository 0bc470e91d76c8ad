import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { rootRoute } from '../../app/root-route.js';

export const entryRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'sign-in',
    validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
      typeof next === 'string' && next.startsWith('/') && !next.startsWith('//') ? { next } : {},
    component: lazyRouteComponent(() => import('./sign-in-page.js'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'forgot-password',
    component: lazyRouteComponent(() => import('./forgot-page.js'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reset-password/$token',
    component: lazyRouteComponent(() => import('./reset-page.js'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'invitations/$token',
    component: lazyRouteComponent(() => import('./invitation-page.js'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'welcome',
    component: lazyRouteComponent(() => import('./welcome-page.js'), 'WelcomePage'),
  }),
];
