import { authConfirm } from '@gatehouse/client';
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useCallback, useState } from 'react';

import { Problem, isProblem } from '../api/problem.js';
import { ProblemNotice } from './problem-notice.js';

/**
 * `act`, which asks for the password and is repeated where the service wants a fresh sign-in for it.
 * Rejects with a `Problem` where the person gives none, so a form stays as it was filled in.
 */
export function useConfirmed<Args extends unknown[], Result>(
  act: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return useCallback(
    async (...args: Args) => {
      try {
        return await act(...args);
      } catch (error) {
        if (!isProblem(error, 'confirmation_required')) throw error;
      }
      await passwordGiven();
      return act(...args);
    },
    [act],
  );
}

function passwordGiven(): Promise<void> {
  return new Promise((given, refused) => {
    const modalId = modals.open({
      title: 'Confirm that it is you',
      children: (
        <PasswordForm
          onConfirmed={() => {
            given();
            modals.close(modalId);
          }}
          onCancel={() => modals.close(modalId)}
        />
      ),
      closeOnClickOutside: false,
      // Comes last after a success too, where it changes nothing any more.
      onClose: () =>
        refused(
          new Problem({ code: 'cancelled', message: 'Nothing was done, as the password was not given.' }),
        ),
    });
  });
}

function PasswordForm({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const confirm = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await authConfirm({ body: { password } });
      onConfirmed();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const wrong = isProblem(problem) ? problem.at('password') : undefined;

  return (
    <form onSubmit={(event) => void confirm(event)}>
      <Stack>
        <Text size="sm">
          You signed in a while ago, and this needs your password once more. What you typed is kept.
        </Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          error={wrong}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {problem !== null && wrong === undefined && <ProblemNotice error={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
