import { createContext, use, useEffect } from 'react';

/** Takes the navigation off the screen, or brings it back. */
export const SetNavigationAway = createContext<(isAway: boolean) => void>(() => undefined);

/** A page that needs the whole width: the navigation comes when it is asked for, as on a phone. */
export function useNavigationAway(isAway: boolean): void {
  const set = use(SetNavigationAway);
  useEffect(() => {
    set(isAway);
    return () => set(false);
  }, [set, isAway]);
}
