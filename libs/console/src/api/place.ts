/** Stands in addresses for the workspace's default environment, whatever its name. */
export const DEFAULT_ENVIRONMENT = '-';

/** The workspace (its slug) and the environment (its name) that requests act in: those of the page's address. */
export interface Place {
  workspace: string;
  environment: string;
}

let current: Place | null = null;

export function enterPlace(place: Place | null): void {
  current = place;
}

export function currentPlace(): Place | null {
  return current;
}
