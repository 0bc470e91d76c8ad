import { authReset } from '@gatehouse/client/operations';
import { Button, Stack, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';

import { signedOut } from '../../api/session.js';
import { FormProblem, problemAt } from '../../kit/form-problem.js';
import { NewPasswordInput } from '../../kit/new-password-input.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';

export function ResetPage() {
  const { token } = useParams({ from: '/reset-password/$token' });
  const [password, setPassword] = useState('');
  const [done, setDone] = useState(false);
  const reset = useAct(async (event: FormEvent) => {
    event.preventDefault();
    await authReset({ body: { token, password } });
    signedOut();
    setDone(true);
  });
  const { problem } = reset;

  if (done) return <Done />;
  if (problemAt(problem, 'token') !== undefined) return <Unusable />;
  return (
    <EntryFrame title="Choose a new password">
      <form onSubmit={(event) => void reset.run(event)}>
        <Stack>
          <NewPasswordInput
            autoFocus
            error={problemAt(problem, 'password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormProblem error={problem} fields={['password']} />
          <Text size="sm" c="dimmed">
            You are signed out everywhere, and sign in with the new one. Tokens go on working.
          </Text>
          <Button type="submit" loading={reset.busy}>
            Set the password
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}

function Done() {
  return (
    <EntryFrame title="Your password is changed">
      <Text size="sm">Sign in with it. You were signed out everywhere else.</Text>
      <Button renderRoot={(props) => <Link to="/sign-in" replace {...props} />}>Sign in</Button>
    </EntryFrame>
  );
}

function Unusable() {
  return (
    <EntryFrame title="This link works no more">
      <Text size="sm">
        A link for a new password works once, within an hour, and only the newest one counts. Ask for another
        one.
      </Text>
      <Button renderRoot={(props) => <Link to="/forgot-password" {...props} />}>Ask for a new link</Button>
    </EntryFrame>
  );
}
