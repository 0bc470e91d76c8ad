import { createRoute, redirect } from '@tanstack/react-router';

import { lazyPage } from '../../app/lazy-page.js';
import { enterPlace } from '../../api/place.js';
import { isProblem } from '../../api/problem.js';
import { loadSession, signedOut } from '../../api/session.js';
import { rootRoute } from '../../app/root-route.js';
import { signedIn } from '../../app/signed-in.js';
import { workspaceRoute } from '../../app/workspace-route.js';
import { findRequest } from './find-request.js';
import { RequestProblemPage } from './request-problem-page.js';
import { type ApprovalStatus, isDecided } from './status-labels.js';

export const approvalRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'approvals',
    validateSearch: ({ status }: Record<string, unknown>): { status?: ApprovalStatus } =>
      isDecided(status) ? { status } : {},
    component: lazyPage(() => import('./inbox-page.js'), 'InboxPage'),
  }),
];

/** The addresses that mails and responses carry: they name no workspace. */
export const decisionRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'approvals',
    beforeLoad: signedIn,
    component: lazyPage(() => import('./any-inbox-page.js'), 'AnyInboxPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'approvals/$requestId',
    /** A link to a no leads to its form, and decides nothing by itself. */
    validateSearch: ({ decision }: Record<string, unknown>): { decision?: 'deny' } =>
      decision === 'deny' ? { decision } : {},
    beforeLoad: async ({ params, location, preload }) => {
      const user = await loadSession();
      const signIn = redirect({ to: '/sign-in', search: { next: location.href } });
      if (!user) throw signIn;
      const found = await findRequest(params.requestId, user).catch((error: unknown) => {
        if (!isProblem(error, 'unauthorized')) throw error;
        signedOut();
        throw signIn;
      });
      if (!preload) enterPlace(found.place);
      return found;
    },
    component: lazyPage(() => import('./decision-page.js'), 'DecisionPage'),
    errorComponent: RequestProblemPage,
  }),
];
