import { Anchor, Text } from '@mantine/core';

import { useUser } from '../../api/session.js';
import { signOut } from '../../app/sign-out.js';
import { thisPage } from '../../kit/sign-in-ways.js';

/** For whom the app will act, which on a shared computer may be a surprise. */
export function SignedInAs() {
  const { email } = useUser();
  const here = `?${new URLSearchParams({ next: thisPage() }).toString()}`;
  return (
    <Text size="sm" c="dimmed">
      You are signed in as <span className="user-text">{email}</span>.{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => void signOut(here)}>
        Sign in as somebody else
      </Anchor>
    </Text>
  );
}
