import { authLogin } from '@gatehouse/client/operations';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import { refreshSession, useSessionState } from '../../api/session.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { SignInWays } from '../../kit/sign-in-ways.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';
import { SignInProblem } from './sign-in-problem.js';

export function SignInPage() {
  const { next = '/', email = '', problem } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const { user } = useSessionState();
  const form = useForm({ initialValues: { email, password: '' } });
  const signIn = useAct(async (body: typeof form.values) => {
    await authLogin({ body });
    await refreshSession();
  });
  useEffect(() => {
    if (user) void navigate({ href: next, replace: true });
  }, [user, next, navigate]);

  return (
    <EntryFrame title="Sign in">
      {problem !== undefined && <SignInProblem problem={problem} />}
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
          <Anchor renderRoot={(props) => <Link to="/forgot-password" {...props} />} size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
      <SignInWays next={next} />
    </EntryFrame>
  );
}
