import type { InvitationOffer, UserMe } from '@gatehouse/client/operations';
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { signOut } from '../../app/sign-out.js';

/** The address has an account that is not signed in, or gets one by signing in at a provider. */
export function SignInToJoin({ offer: { email, hasAccount }, token, user }: Props) {
  const search = { email, next: `/invitations/${encodeURIComponent(token)}` };
  if (!user) {
    return (
      <>
        <Text size="sm">
          {hasAccount
            ? 'This address has an account already. Sign in, then accept.'
            : 'Sign in where your company does, with this address, then accept.'}
        </Text>
        <Button renderRoot={(props) => <Link to="/sign-in" search={search} {...props} />}>Sign in</Button>
      </>
    );
  }
  return (
    <>
      <Text size="sm">
        You are signed in as <b className="user-text">{user.email}</b>, and this invitation is for somebody
        else&apos;s address. If both are yours, change over.
      </Text>
      <Button onClick={() => void signOut(`?${new URLSearchParams(search).toString()}`)}>
        Sign out, and in as the other
      </Button>
    </>
  );
}

interface Props {
  offer: InvitationOffer;
  token: string;
  user: UserMe | null;
}
