import { authLogin } from '@gatehouse/client';
import { Anchor, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';

import { refreshSession, useSessionState } from '../api/session.js';
import { ProblemNotice } from '../kit/problem-notice.js';
import { signOut } from './sign-out.js';

/** Over the page that was open when the session ended, so that what was typed there is still there afterwards. */
export default function SessionEndedDialog() {
  const { user } = useSessionState();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  if (!user) return null;

  const signIn = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await authLogin({ body: { email: user.email, password } });
      setPassword('');
      await refreshSession();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
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
      <form onSubmit={(event) => void signIn(event)}>
        <Stack>
          <Text size="sm">
            Sign in again as <b className="user-text">{user.email}</b> to go on where you were. Nothing that
            you typed is lost.
          </Text>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {problem !== null && <ProblemNotice error={problem} />}
          <Button type="submit" loading={busy}>
            Sign in
          </Button>
          <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void signOut()}>
            Sign in as somebody else
          </Anchor>
        </Stack>
      </form>
    </Modal>
  );
}
