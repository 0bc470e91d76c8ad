import {
  type InvitationAcceptance,
  type UserMe,
  invitationRepliesAccept,
} from '@gatehouse/client/operations';
import { useNavigate } from '@tanstack/react-router';

import { DEFAULT_ENVIRONMENT } from '../../api/place.js';
import { refreshSession } from '../../api/session.js';
import { useAct } from '../../kit/use-act.js';

/** Accepts the invitation and opens the workspace that one has come into. */
export function useAccept(token: string, before: UserMe | null) {
  const navigate = useNavigate();
  return useAct(async (body: InvitationAcceptance) => {
    const { data } = await invitationRepliesAccept({ path: { token }, body });
    await refreshSession();
    const joined = data.workspaces.find(({ id }) => !before?.workspaces.some((known) => known.id === id));
    if (!joined) return navigate({ to: '/' });
    const place = { workspace: joined.slug, environment: DEFAULT_ENVIRONMENT };
    return navigate({ to: '/w/$workspace/$environment', params: place });
  });
}
