import { authLogin } from '@gatehouse/client/operations';
import { Anchor, Button, Modal } from '@mantine/core';

import { refreshSession, useSessionState } from '../api/session.js';
import { PasswordForm } from '../kit/password-form.js';
import { SignInWays } from '../kit/sign-in-ways.js';
import { signOut } from './sign-out.js';

/** Over the page that was open when the session ended, so that what was typed there is still there afterwards. */
export default function SessionEndedDialog() {
  const { user } = useSessionState();
  if (!user) return null;

  const signIn = async (password: string): Promise<void> => {
    await authLogin({ body: { email: user.email, password } });
    await refreshSession();
  };

  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <PasswordForm
        reason={
          <>
            Sign in again as <b className="user-text">{user.email}</b> to go on where you were. Nothing that
            you typed is lost.
          </>
        }
        onSubmit={signIn}
        buttons={(busy) => (
          <>
            <Button type="submit" loading={busy}>
              Sign in
            </Button>
            <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void signOut()}>
              Sign in as somebody else
            </Anchor>
          </>
        )}
      />
      <SignInWays />
    </Modal>
  );
}
