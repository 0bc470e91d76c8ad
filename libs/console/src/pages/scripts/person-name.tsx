import { useUser } from '../../api/session.js';
import { useMembers } from '../../app/use-people.js';
import { useRights } from '../../app/use-place.js';

/** Who a person is; somebody who left has no name any more. */
export function PersonName({ userId }: { userId: string | null }) {
  const user = useUser();
  const { edits } = useRights();
  const known = userId !== null && userId !== user.id;
  const members = useMembers(edits && known);
  if (userId === null) return <>an API key</>;
  if (!known) return <>you</>;
  const member = members.find((candidate) => candidate.userId === userId);
  const otherwise = members.length > 0 ? 'a former member' : '…';
  return <span className="user-text">{member?.name ?? otherwise}</span>;
}
