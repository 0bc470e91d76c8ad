import { authLogin, secondStepBegin, secondStepSignIn } from '@gatehouse/client/operations';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { isProblem } from '../../api/problem.js';
import { refreshSession, useSessionState } from '../../api/session.js';
import { knowsPasskeys, showPasskey } from '../../kit/passkeys.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { SecondStepForm } from '../../kit/second-step-form.js';
import { SignInWays, useSignInWays } from '../../kit/sign-in-ways.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';
import { SignInProblem } from './sign-in-problem.js';

export function SignInPage() {
  const { next = '/', problem } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { user } = useSessionState();
  const ways = useSignInWays();
  // Somebody who was signed in and was to confirm it reads first why that failed.
  const [wasSignedIn] = useState(Boolean(user));
  const stays = wasSignedIn && problem !== undefined;
  useEffect(() => {
    if (user && !stays) void navigate({ href: next, replace: true });
  }, [user, stays, next, navigate]);

  if (stays) {
    return (
      <EntryFrame title="This was not confirmed">
        <SignInProblem problem={problem} signedIn />
        <Button onClick={() => void navigate({ href: next, replace: true })}>Back to where you were</Button>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title="Sign in">
      {problem !== undefined && <SignInProblem problem={problem} />}
      {ways?.passwords !== false && <WithPassword />}
      <SignInWays next={next} />
    </EntryFrame>
  );
}

function WithPassword() {
  const { email = '' } = useSearch({ from: '/sign-in' });
  const { user } = useSessionState();
  const form = useForm({ initialValues: { email, password: '' } });
  const [half, setHalf] = useState(false);
  const signIn = useAct(async (body: typeof form.values) => {
    try {
      await authLogin({ body });
    } catch (error) {
      if (!isProblem(error, 'second_factor_required')) throw error;
      return setHalf(true);
    }
    await refreshSession();
  });
  const byPasskey = useAct(async () => {
    const { data } = await secondStepBegin();
    await secondStepSignIn({ body: { passkey: await showPasskey(data.options) } });
    await refreshSession();
  });

  if (half) return <SecondStepForm onDone={refreshSession} onBack={() => setHalf(false)} />;
  return (
    <form onSubmit={form.onSubmit((values) => void signIn.run(values))}>
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          autoFocus={email === ''}
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          autoFocus={email !== ''}
          required
          withAsterisk={false}
          {...form.getInputProps('password')}
        />
        {signIn.problem !== null && <ProblemNotice error={signIn.problem} />}
        <Button type="submit" loading={signIn.busy || Boolean(user)}>
          Sign in
        </Button>
        {knowsPasskeys && (
          <Button variant="default" loading={byPasskey.busy} onClick={() => void byPasskey.run()}>
            Use a passkey
          </Button>
        )}
        {byPasskey.problem !== null && <ProblemNotice error={byPasskey.problem} />}
        <Anchor renderRoot={(props) => <Link to="/forgot-password" {...props} />} size="sm" ta="center">
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  );
}
