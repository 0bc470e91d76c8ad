import { Anchor, Button, Modal } from '@mantine/core';
import { useState } from 'react';

import { refreshSession, useSessionState } from '../api/session.js';
import { isProblem } from '../api/problem.js';
import { login } from '../api/sign-in-calls.js';
import { PasswordForm } from '../kit/password-form.js';
import { SecondStepForm } from '../kit/second-step-form.js';
import { SignInWays, useSignInWays } from '../kit/sign-in-ways.js';
import { signOut } from './sign-out.js';

/** Over the page that was open when the session ended, so that what was typed there is still there afterwards. */
export default function SessionEndedDialog() {
  const { user } = useSessionState();
  const ways = useSignInWays();
  const [half, setHalf] = useState(false);
  if (!user) return null;

  const signIn = async (password: string): Promise<void> => {
    try {
      await login({ email: user.email, password });
    } catch (error) {
      if (!isProblem(error, 'second_factor_required')) throw error;
      return setHalf(true);
    }
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
      {half && <SecondStepForm onDone={refreshSession} onBack={() => setHalf(false)} />}
      {!half && ways?.passwords === false && (
        <SignInWays
          note={
            <>
              Sign in again as <b className="user-text">{user.email}</b>. You come back to this page, but what
              you typed is gone.
            </>
          }
        />
      )}
      {!half && ways?.passwords !== false && (
        <>
          <PasswordForm
            reason={
              <>
                Sign in again as <b className="user-text">{user.email}</b> to go on where you were. Nothing
                that you typed is lost.
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
        </>
      )}
    </Modal>
  );
}
