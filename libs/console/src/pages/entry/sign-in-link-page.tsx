import { signInLinksUse } from '@gatehouse/client/operations';
import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { refreshSession } from '../../api/session.js';
import { problemAt } from '../../kit/form-problem.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';

/** Where a link of the operator leads. Its token stands behind `#`, and goes from the address at once. */
export function SignInLinkPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const navigate = useNavigate();
  const signIn = useAct(async () => {
    await signInLinksUse({ body: { token } });
    await refreshSession();
    await navigate({ to: '/', replace: true });
  });
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);

  if (token === '' || problemAt(signIn.problem, 'token') !== undefined) return <Unusable />;
  return (
    <EntryFrame title="Sign in with this link">
      <Text size="sm">
        Whoever runs this Gatehouse has made it for you. It works once, within a quarter of an hour.
      </Text>
      {signIn.problem !== null && <ProblemNotice error={signIn.problem} />}
      <Button loading={signIn.busy} onClick={() => void signIn.run()}>
        Sign in
      </Button>
    </EntryFrame>
  );
}

function Unusable() {
  return (
    <EntryFrame title="This link works no more">
      <Text size="sm">
        It works once, within a quarter of an hour, and only the newest one counts. Ask whoever runs this
        Gatehouse for another one.
      </Text>
    </EntryFrame>
  );
}
