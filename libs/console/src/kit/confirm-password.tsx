import { authConfirm } from '@gatehouse/client/operations';
import { Button, Group } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useCallback } from 'react';

import { Problem, isProblem } from '../api/problem.js';
import { onceReady } from './dialogs-ready.js';
import { PasswordForm } from './password-form.js';
import { SignInWays } from './sign-in-ways.js';

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
  return new Promise((given, refused) => onceReady(() => askForPassword(given, refused)));
}

function askForPassword(given: () => void, refused: (problem: Problem) => void): void {
  const modalId = modals.open({
    title: 'Confirm that it is you',
    children: (
      <>
        <PasswordForm
          reason="You signed in a while ago, and this needs your password once more. What you typed is kept."
          onSubmit={async (password) => {
            await authConfirm({ body: { password } });
            given();
            modals.close(modalId);
          }}
          buttons={(busy) => (
            <Group justify="flex-end">
              <Button variant="default" onClick={() => modals.close(modalId)}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                Confirm
              </Button>
            </Group>
          )}
        />
        <SignInWays note="No password here? Sign in there again. You come back to this page, but what you typed is gone." />
      </>
    ),
    closeOnClickOutside: false,
    // Comes last after a success too, where it changes nothing any more.
    onClose: () =>
      refused(
        new Problem({ code: 'cancelled', message: 'Nothing was done, as the password was not given.' }),
      ),
  });
}
