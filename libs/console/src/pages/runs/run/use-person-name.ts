import { membersListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

import { useUser } from '../../../api/session.js';
import { useRights } from '../../../app/use-place.js';

const MOST = 100;

/** Tells a person's name by their id. Guests do not see who the members are. */
export function usePersonName(): (userId: string) => string {
  const user = useUser();
  const { edits } = useRights();
  const { data } = useQuery({
    ...membersListOptions({ query: { limit: MOST } }),
    enabled: edits,
    staleTime: 300_000,
  });
  return useCallback(
    (userId) => {
      if (userId === user.id) return 'You';
      return data?.items.find((member) => member.userId === userId)?.name ?? 'Another person';
    },
    [data, user.id],
  );
}
