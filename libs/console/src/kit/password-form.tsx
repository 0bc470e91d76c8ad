import { PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import { isProblem } from '../api/problem.js';
import { ProblemNotice } from './problem-notice.js';
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
  const wrong = isProblem(problem) ? problem.at('password') : undefined;
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
          error={wrong}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {problem !== null && wrong === undefined && <ProblemNotice error={problem} />}
        {buttons(busy)}
      </Stack>
    </form>
  );
}
