import { authLogin } from '@gatehouse/client';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import { refreshSession } from '../../api/session.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { EntryFrame } from './entry-frame.js';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<unknown>(null);
  const form = useForm({ initialValues: { email: '', password: '' } });

  const signIn = async (body: typeof form.values): Promise<void> => {
    setProblem(null);
    try {
      await authLogin({ body });
      await refreshSession();
    } catch (error) {
      return setProblem(error);
    }
    if (next) router.history.push(next);
    else await navigate({ to: '/' });
  };

  return (
    <EntryFrame title="Sign in">
      <form onSubmit={form.onSubmit(signIn)}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          {problem !== null && <ProblemNotice error={problem} />}
          <Button type="submit" loading={form.submitting}>
            Sign in
          </Button>
          <Anchor renderRoot={(props) => <Link to="/forgot-password" {...props} />} size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
    </EntryFrame>
  );
}
