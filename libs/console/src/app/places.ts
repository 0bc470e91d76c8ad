import type { UserMe } from '@gatehouse/client/operations';

import { DEFAULT_ENVIRONMENT, type Place } from '../api/place.js';

const LAST_PLACE = 'gatehouse-last-place';

export function rememberPlace(place: Place): void {
  try {
    localStorage.setItem(LAST_PLACE, JSON.stringify(place));
  } catch {
    // Without storage each visit begins in the first workspace.
  }
}

/** Where this person was last, if they are still a member there; else their first workspace. */
export function homePlace(user: UserMe): Place | null {
  const last = lastPlace();
  if (last && user.workspaces.some(({ slug }) => slug === last.workspace)) return last;
  const [first] = user.workspaces;
  return first ? { workspace: first.slug, environment: DEFAULT_ENVIRONMENT } : null;
}

/** A person's workspaces, the one that they were in last first. */
export function workspacesByUse(user: UserMe): string[] {
  const last = lastPlace()?.workspace;
  const slugs = user.workspaces.map(({ slug }) => slug);
  return [...slugs.filter((slug) => slug === last), ...slugs.filter((slug) => slug !== last)];
}

function lastPlace(): Place | null {
  try {
    const stored = JSON.parse(localStorage.getItem(LAST_PLACE) ?? 'null') as Partial<Place> | null;
    return typeof stored?.workspace === 'string' && typeof stored.environment === 'string'
      ? { workspace: stored.workspace, environment: stored.environment }
      : null;
  } catch {
    return null;
  }
}
