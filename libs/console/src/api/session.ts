import { type UserMe, authSession } from '@gatehouse/client/operations';
import { useSyncExternalStore } from 'react';

import { enterPlace } from './place.js';
import { isProblem } from './problem.js';

/** `undefined`: not asked yet; `null`: nobody is signed in. `ended`: somebody was, until a request was refused. */
interface State {
  user: UserMe | null | undefined;
  ended: boolean;
}

let state: State = { user: undefined, ended: false };
const listeners = new Set<() => void>();
/** The first question, while it is in progress. */
let asking: Promise<unknown> | null = null;

/** Who is signed in, asked once and then remembered until it changes. */
export async function loadSession(): Promise<UserMe | null> {
  if (state.user === undefined) {
    asking ??= refreshSession().finally(() => (asking = null));
    await asking;
  }
  return state.user ?? null;
}

/** Asks again: after signing in, and after one's own workspaces or roles have changed. */
export async function refreshSession(): Promise<UserMe | null> {
  try {
    const { data } = await authSession();
    change({ user: data, ended: false });
  } catch (error) {
    if (!isProblem(error, 'unauthorized')) throw error;
    change({ user: null, ended: false });
  }
  return state.user ?? null;
}

/** A request was refused as unauthorized: the page stays, and asks for the password over it. */
export function sessionEnded(): void {
  if (state.user) change({ ...state, ended: true });
}

export function signedOut(): void {
  change({ user: null, ended: false });
}

function change(next: State): void {
  state = next;
  if (next.user === null) enterPlace(null);
  for (const listener of listeners) listener();
}

export function useSessionState(): State {
  return useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => state,
  );
}

/** Who is signed in, on pages that only such a person sees. */
export function useUser(): UserMe {
  const { user } = useSessionState();
  if (!user) throw new Error('This page is for people who are signed in.');
  return user;
}
