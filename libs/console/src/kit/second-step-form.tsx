import type { SecondFactorInput } from '@gatehouse/client/operations';
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import { patiently } from '../api/retries.js';
import { describeSecondStep, finishSecondStep } from '../api/sign-in-calls.js';
import { CodeInput } from './code-input.js';
import { translated, useEntryWords } from './entry-words-context.js';
import { FormProblem, problemAt } from './form-problem.js';
import { knowsPasskeys, showPasskey } from './passkeys.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';
import { useAsked } from './use-asked.js';

interface SecondStepFormProps {
  onDone: () => Promise<unknown>;
  /** Back to the password. */
  onBack: () => void;
}

const describe = () => patiently(describeSecondStep);

/** After the right password of an account with a second factor. */
export function SecondStepForm({ onDone, onBack }: SecondStepFormProps) {
  const words = useEntryWords();
  const { answer: step, error } = useAsked(describe);
  const [code, setCode] = useState('');
  const finish = useAct(async (body: SecondFactorInput) => {
    await finishSecondStep(body);
    await onDone();
  });
  const passkey = useAct(async (options: Record<string, unknown>) => {
    await finish.run({ passkey: await showPasskey(options) });
  });
  if (step === undefined && error === undefined) return <div style={{ height: 120 }} />;
  const options = knowsPasskeys ? (step?.passkeyOptions ?? null) : null;
  const codeProblem = problemAt(finish.problem, 'code');

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void finish.run({ code });
      }}
    >
      <Stack>
        <Text size="sm">{words.secondFactor}</Text>
        {error !== undefined && <ProblemNotice error={error} />}
        {options && (
          <Button variant="default" loading={passkey.busy} onClick={() => void passkey.run(options)}>
            {words.usePasskey}
          </Button>
        )}
        {passkey.problem !== null && <ProblemNotice error={passkey.problem} />}
        <CodeInput
          orRecovery
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={codeProblem !== undefined && translated(words, codeProblem)}
        />
        <FormProblem error={finish.problem} fields={['code']} />
        <Button type="submit" loading={finish.busy}>
          {words.signIn}
        </Button>
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          {words.beginAnew}
        </Anchor>
      </Stack>
    </form>
  );
}
