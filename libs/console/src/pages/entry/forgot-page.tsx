import { authForgot } from '@gatehouse/client/operations';
import { Anchor, Button, Code, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';

import { ProblemNotice } from '../../kit/problem-notice.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';

export function ForgotPage() {
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState(false);
  const ask = useAct(async (event: FormEvent) => {
    event.preventDefault();
    await authForgot({ body: { email } });
    setAsked(true);
  });

  if (asked) return <Asked email={email} onAgain={() => setAsked(false)} />;
  return (
    <EntryFrame title="Forgot your password">
      <form onSubmit={(event) => void ask.run(event)}>
        <Stack>
          <Text size="sm" c="dimmed">
            You get a link by mail, with which you choose a new one.
          </Text>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {ask.problem !== null && <ProblemNotice error={ask.problem} />}
          <Button type="submit" loading={ask.busy}>
            Send the link
          </Button>
          <ToSignIn />
        </Stack>
      </form>
    </EntryFrame>
  );
}

/** The service does not tell whether there is such an account, nor whether it can send mail: both are said. */
function Asked({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <EntryFrame title="Look into your mail">
      <Text size="sm">
        If <b className="user-text">{email}</b> has an account here, a link is on its way. It works once,
        within an hour.
      </Text>
      <Text size="sm" c="dimmed">
        Nothing after a few minutes? Look among the unwanted mail. A Gatehouse that cannot send mail sends
        none: then ask whoever runs it to set a new password with <Code>npm run admin -- reset-password</Code>
        .
      </Text>
      <Button variant="default" onClick={onAgain}>
        Try another address
      </Button>
      <ToSignIn />
    </EntryFrame>
  );
}

function ToSignIn() {
  return (
    <Anchor renderRoot={(props) => <Link to="/sign-in" {...props} />} size="sm" ta="center">
      Back to signing in
    </Anchor>
  );
}
