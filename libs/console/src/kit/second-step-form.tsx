import { type SecondFactorInput, secondStepFinish } from '@gatehouse/client/operations';
import { secondStepDescribeOptions } from '@gatehouse/client/react-query';
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { CodeInput } from './code-input.js';
import { FormProblem, problemAt } from './form-problem.js';
import { knowsPasskeys, showPasskey } from './passkeys.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';

interface SecondStepFormProps {
  onDone: () => Promise<unknown>;
  /** Back to the password. */
  onBack: () => void;
}

/** After the right password of an account with a second factor. */
export function SecondStepForm({ onDone, onBack }: SecondStepFormProps) {
  const step = useQuery({ ...secondStepDescribeOptions(), gcTime: 0, staleTime: Infinity });
  const [code, setCode] = useState('');
  const finish = useAct(async (body: SecondFactorInput) => {
    await secondStepFinish({ body });
    await onDone();
  });
  const passkey = useAct(async (options: Record<string, unknown>) => {
    await finish.run({ passkey: await showPasskey(options) });
  });
  if (step.isPending) return <Skeleton height={120} aria-hidden />;
  const options = knowsPasskeys ? (step.data?.passkeyOptions ?? null) : null;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void finish.run({ code });
      }}
    >
      <Stack>
        <Text size="sm">The password is right. Your account has a second factor, so show that one, too.</Text>
        {step.isError && <ProblemNotice error={step.error} />}
        {options && (
          <Button variant="default" loading={passkey.busy} onClick={() => void passkey.run(options)}>
            Use a passkey
          </Button>
        )}
        {passkey.problem !== null && <ProblemNotice error={passkey.problem} />}
        <CodeInput
          orRecovery
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={problemAt(finish.problem, 'code')}
        />
        <FormProblem error={finish.problem} fields={['code']} />
        <Button type="submit" loading={finish.busy}>
          Sign in
        </Button>
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          Begin anew
        </Anchor>
      </Stack>
    </form>
  );
}
