/** Stands in addresses for the workspace's default environment, whatever its name. */
export const DEFAULT_ENVIRONMENT = '-';

/** The workspace (its slug) and the environment (its name) that requests act in: those of the page's address. */
export interface Place {
  workspace: string;
  environment: string;
}

let current: Place | null = null;
const listeners = new Set<() => void>();

export function enterPlace(place: Place | null): void {
  const isSame = place?.workspace === current?.workspace && place?.environment === current?.environment;
  current = place;
  if (!isSame) for (const listener of listeners) listener();
}

/** Calls it whenever requests begin to act in another place. */
export function onPlaceChange(listener: () => void): void {
  listeners.add(listener);
}

/** What tells the service the place. */
export function placeHeaders(): Record<string, string> {
  if (!current) return {};
  const { workspace, environment } = current;
  return {
    'x-workspace': workspace,
    ...(environment !== DEFAULT_ENVIRONMENT && { 'x-environment': environment }),
  };
}
