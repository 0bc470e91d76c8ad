import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { countInTitle } from '../kit/page.js';
import { waitsForMe } from '../pages/approvals/approval.js';
import { pendingRequestsQuery } from './place-queries.js';
import { useRights } from './use-place.js';

/** How many requests wait for this person to decide them. */
export function useWaitingApprovals(): number {
  const { edits } = useRights();
  const { data } = useQuery({
    ...pendingRequestsQuery(),
    enabled: edits,
  });
  const count = data?.items.filter(waitsForMe).length ?? 0;
  useEffect(() => countInTitle(count), [count]);
  return count;
}
