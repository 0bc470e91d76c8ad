import { type Member, membersRemove } from '@gatehouse/client/operations';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { refreshSession, useUser } from '../../../api/session.js';
import { useRights, useWorkspace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { DestroyButton } from '../../../kit/destroy-button.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { mayChange } from './roles.js';

/** Takes somebody out of the workspace, or lets the person leave it. */
export function RemoveMember({ member }: { member: Member }) {
  const { role } = useRights();
  const workspace = useWorkspace();
  const user = useUser();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const isSelf = member.userId === user.id;
  const removal = useMutation({
    mutationFn: () => membersRemove({ path: { memberId: member.id } }),
    onSuccess: async () => {
      if (!isSelf) {
        notifyDone(`${member.name} is out of the workspace.`);
        return refresh('membersList', 'teamsList');
      }
      await navigate({ to: '/account' });
      await refreshSession();
      await navigate({ to: '/' });
    },
    onError: notifyProblem,
  });
  if (!isSelf && !mayChange(role, member.role)) return null;

  const ask = (): void =>
    confirmDestruction({
      title: isSelf ? `Leave ${workspace.name}?` : `Remove ${member.name} from ${workspace.name}?`,
      children: isSelf
        ? 'You lose what you can do here at once. To come back, somebody must invite you.'
        : `${member.name} loses access at once and is out of all teams. Scripts, runs and schedules stay.`,
      confirm: isSelf ? 'Leave' : 'Remove',
      onConfirm: () => removal.mutate(),
    });
  return (
    <DestroyButton
      quiet
      loading={removal.isPending}
      label={isSelf ? 'Leave the workspace' : `Remove ${member.name}`}
      onClick={ask}
    >
      {isSelf ? 'Leave' : 'Remove'}
    </DestroyButton>
  );
}
