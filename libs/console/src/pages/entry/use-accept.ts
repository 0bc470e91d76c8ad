import {
  type InvitationAcceptance,
  type UserMe,
  invitationRepliesAccept,
} from '@gatehouse/client/operations';
import { useNavigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { refreshSession } from '../../api/session.js';
import { useConfirmed } from '../../kit/confirm-password.js';
import { useAct } from '../../kit/use-act.js';

/** Accepts the invitation and opens the workspace that one has come into. */
export function useAccept(token: string, before: UserMe | null) {
  const navigate = useNavigate();
  const accept = useConfirmed(invitationRepliesAccept<true>);
  return useAct(async (body: InvitationAcceptance) => {
    const { data } = await accept({ path: { token }, body });
    await refreshSession();
    const joined = data.workspaces.find(({ id }) => !before?.workspaces.some((known) => known.id === id));
    if (!joined) return navigate({ to: '/' });
    const place = { workspace: joined.slug, environment: DEFAULT_ENVIRONMENT };
    return navigate({ to: '/w/$workspace/$environment/scripts', params: place });
  });
}
