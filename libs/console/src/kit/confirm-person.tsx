import { Button, Group, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';

import { Problem } from '../api/problem.js';
import { ConfirmForm } from './confirm-form.js';
import { onceReady } from './dialogs-ready.js';
import { SignInWays, useSignInWays } from './sign-in-ways.js';

let asking: Promise<void> | null = null;

/**
 * Has the person confirm that it is them. Whatever else wants so meanwhile waits for the same dialog.
 * @throws Problem `cancelled` where they do not
 */
export function personConfirmed(): Promise<void> {
  asking ??= new Promise<void>((given, refused) => onceReady(() => askToConfirm(given, refused))).finally(
    () => (asking = null),
  );
  return asking;
}

function askToConfirm(given: () => void, refused: (problem: Problem) => void): void {
  const modalId = modals.open({
    title: 'Confirm that it is you',
    children: (
      <Confirmation
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
        new Problem({
          code: 'cancelled',
          message: 'Nothing was done, as you did not confirm that it is you.',
        }),
      ),
  });
}

interface ConfirmationProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** By what the account has, or by signing in once more at a provider, from where the browser comes back. */
function Confirmation({ onConfirmed, onCancel }: ConfirmationProps) {
  const ways = useSignInWays();
  if (ways?.passwords === false) {
    return (
      <Stack>
        <SignInWays
          confirm
          note="You signed in a while ago, and this needs a sign-in once more. You come back to this page, but what you typed is gone."
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <>
      <ConfirmForm onConfirmed={onConfirmed} onCancel={onCancel} />
      <SignInWays
        confirm
        note="No password here? Sign in there again. You come back to this page, but what you typed is gone."
      />
    </>
  );
}
