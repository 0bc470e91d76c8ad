import { membersListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { useUser } from '../../api/session.js';
import { useRights } from '../../app/use-place.js';

/** Who a person is; somebody who left has no name any more. */
export function PersonName({ userId }: { userId: string | null }) {
  const user = useUser();
  const { edits } = useRights();
  const known = userId !== null && userId !== user.id;
  const { data } = useQuery({
    ...membersListOptions({ query: { limit: 100 } }),
    enabled: edits && known,
  });
  if (userId === null) return <>an API key</>;
  if (!known) return <>you</>;
  const member = data?.items.find((candidate) => candidate.userId === userId);
  return <span className="user-text">{member?.name ?? (data ? 'a former member' : '…')}</span>;
}
