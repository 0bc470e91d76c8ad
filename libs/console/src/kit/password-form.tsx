import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { FormProblem, problemAt } from './form-problem.js';
import { PasswordInput } from './password-input.js';
import { useAct } from './use-act.js';

interface PasswordFormProps {
  /** Why it is asked for. */
  reason: ReactNode;
  onSubmit: (password: string) => Promise<unknown>;
  /** Below the field; one of them submits. */
  buttons: (busy: boolean) => ReactNode;
}

/** Asks whoever is signed in, or was until a moment ago, for their password. */
export function PasswordForm({ reason, onSubmit, buttons }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const { run, busy, problem } = useAct(onSubmit);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(password);
      }}
    >
      <Stack>
        <Text size="sm">{reason}</Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          withAsterisk={false}
          error={problemAt(problem, 'password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormProblem error={problem} fields={['password']} />
        {buttons(busy)}
      </Stack>
    </form>
  );
}
