import { useCallback } from 'react';

import { usePeople } from '../../../app/use-people.js';
import { useRights } from '../../../app/use-place.js';

/** Tells a person's name by their id. Guests do not see who the members are. */
export function usePersonName(): (userId: string) => string {
  const { edits } = useRights();
  const nameOf = usePeople(edits);
  return useCallback((userId) => nameOf(userId) ?? 'Another person', [nameOf]);
}
