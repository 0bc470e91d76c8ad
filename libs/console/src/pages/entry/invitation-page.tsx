import {
  type InvitationOffer,
  type UserMe,
  invitationRepliesDecline,
  invitationRepliesGet,
} from '@gatehouse/client/operations';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { isProblem } from '../../api/problem.js';
import { useSessionState } from '../../api/session.js';
import { ROLE_WORDS } from '../../app/role-words.js';
import { Moment } from '../../kit/moment.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { useSignInWays } from '../../kit/sign-in-ways.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';
import { JoinSignedIn } from './join-signed-in.js';
import { JoinWithNewAccount } from './join-with-new-account.js';
import { SignInToJoin } from './sign-in-to-join.js';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitations/$token' });
  const { user } = useSessionState();
  const [declined, setDeclined] = useState(false);
  const { data: offer, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await invitationRepliesGet({ path: { token } })).data,
    staleTime: Infinity,
  });
  const decline = useAct(async () => {
    await invitationRepliesDecline({ path: { token } });
    setDeclined(true);
  });
  // It may be used or taken back while the page is open.
  const problem = error ?? decline.problem;

  if (isProblem(problem, 'invalid_request')) return <Closed user={user ?? null} />;
  if (error) return <Failed error={error} />;
  if (!offer) return <Loading />;
  if (declined) return <Declined workspace={offer.workspace.name} />;
  return (
    <EntryFrame title={`Join ${offer.workspace.name}`}>
      <Offer offer={offer} />
      <Reply offer={offer} token={token} user={user ?? null} />
      {problem !== null && <ProblemNotice error={problem} />}
      <Button variant="subtle" color="gray" loading={decline.busy} onClick={() => void decline.run()}>
        Decline
      </Button>
    </EntryFrame>
  );
}

function Offer({ offer: { invitedBy, workspace, role, email, expiresAt } }: { offer: InvitationOffer }) {
  return (
    <Stack gap={4}>
      <Text className="user-text">
        <b>{invitedBy ?? 'Somebody'}</b> invites <b>{email}</b> to the workspace <b>{workspace.name}</b> as{' '}
        {ROLE_WORDS[role].article}.
      </Text>
      <Text size="sm" c="dimmed">
        {ROLE_WORDS[role].may} The invitation ends <Moment at={expiresAt} />.
      </Text>
    </Stack>
  );
}

function Reply(props: { offer: InvitationOffer; token: string; user: UserMe | null }) {
  const { offer, user } = props;
  const ways = useSignInWays();
  if (!offer.hasAccount && ways?.passwords === false) return <SignInToJoin {...props} />;
  if (!offer.hasAccount) return <JoinWithNewAccount {...props} />;
  if (user?.email === offer.email) return <JoinSignedIn {...props} user={user} />;
  return <SignInToJoin {...props} />;
}

function Loading() {
  return (
    <EntryFrame title="An invitation">
      <Skeleton height={48} />
      <Skeleton height={36} />
    </EntryFrame>
  );
}

function Closed({ user }: { user: UserMe | null }) {
  return (
    <EntryFrame title="This invitation is closed">
      <Text size="sm">
        It was used, declined or taken back, or its time has passed. If you still want to join, ask whoever
        invited you for a new one. If you have accepted it already, you are in.
      </Text>
      {user ? (
        <Button renderRoot={(props) => <Link to="/" {...props} />}>To your scripts</Button>
      ) : (
        <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>Sign in</Button>
      )}
    </EntryFrame>
  );
}

function Declined({ workspace }: { workspace: string }) {
  return (
    <EntryFrame title="You declined">
      <Text size="sm">
        You do not join <span className="user-text">{workspace}</span>, and the link works no more. You can
        close this page.
      </Text>
    </EntryFrame>
  );
}

function Failed({ error }: { error: unknown }) {
  return (
    <EntryFrame title="The invitation could not be read">
      <ProblemNotice error={error} />
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </EntryFrame>
  );
}
