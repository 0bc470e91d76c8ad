import { Anchor, Button, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';

import { useUser } from '../../api/session.js';
import { EntryFrame } from './entry-frame.js';

/** Once, after somebody has shown that the address of an account is theirs that nobody had shown before. */
export function AccountSecuredPage() {
  const { next = '/' } = useSearch({ from: '/account-secured' });
  const { email } = useUser();
  return (
    <EntryFrame title="Your account is yours alone now">
      <Text size="sm">
        There was an account for <b className="user-text">{email}</b> before you came, and until now nobody
        had shown that the address is theirs. So its password, sessions, personal access tokens and connected
        apps no longer open it.
      </Text>
      <Text size="sm">
        If you made them yourself, make those anew that you need. If not, somebody else used the account: look
        at your workspaces, and at the schedules and triggers in your name, and tell the owners.
      </Text>
      <Button renderRoot={(props) => <Link to={next} {...props} />}>Go on</Button>
      <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/account" {...props} />}>
        To your account
      </Anchor>
    </EntryFrame>
  );
}
