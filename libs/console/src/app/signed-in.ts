import { redirect } from '@tanstack/react-router';

import { loadSession } from '../api/session.js';

/** `beforeLoad` of pages for people who are signed in: others sign in first, and come back. */
export async function signedIn({ location }: { location: { href: string } }): Promise<void> {
  if (!(await loadSession())) throw redirect({ to: '/sign-in', search: { next: location.href } });
}
