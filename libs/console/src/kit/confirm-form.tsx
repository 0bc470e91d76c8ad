import { authConfirm, authConfirmOptions, type ConfirmationInput } from '@gatehouse/client/operations';
import { secondFactorsListOptions } from '@gatehouse/client/react-query';
import { Button, Divider, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { CodeInput } from './code-input.js';
import { FormProblem, problemAt } from './form-problem.js';
import { knowsPasskeys, showPasskey } from './passkeys.js';
import { PasswordInput } from './password-input.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';

interface ConfirmFormProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Asks whoever is signed in for a passkey, or for their password and a code where the account has a second factor. */
export function ConfirmForm({ onConfirmed, onCancel }: ConfirmFormProps) {
  const factors = useQuery(secondFactorsListOptions());
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const byPassword = useAct(async (body: ConfirmationInput) => {
    await authConfirm({ body });
    onConfirmed();
  });
  const byPasskey = useAct(async () => {
    const { data } = await authConfirmOptions();
    await authConfirm({ body: { passkey: await showPasskey(data.options) } });
    onConfirmed();
  });
  if (factors.isPending) return <Skeleton height={160} aria-hidden />;
  const hasPasskey = knowsPasskeys && (factors.data?.passkeys.length ?? 0) > 0;
  const takesCode = (factors.data?.recoveryCodesLeft ?? 0) > 0 || factors.data?.authenticator != null;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void byPassword.run({ password, ...(takesCode && { code }) });
      }}
    >
      <Stack>
        <Text size="sm">
          You signed in a while ago, and this needs you to confirm that it is you. What you typed is kept.
        </Text>
        {hasPasskey && (
          <>
            <Button variant="default" loading={byPasskey.busy} onClick={() => void byPasskey.run()}>
              Use a passkey
            </Button>
            {byPasskey.problem !== null && <ProblemNotice error={byPasskey.problem} />}
            <Divider label="or" />
          </>
        )}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          withAsterisk={false}
          error={problemAt(byPassword.problem, 'password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {takesCode && (
          <CodeInput
            orRecovery
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={problemAt(byPassword.problem, 'code')}
          />
        )}
        <FormProblem error={byPassword.problem} fields={['password', 'code']} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={byPassword.busy}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
