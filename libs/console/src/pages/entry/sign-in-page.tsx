import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';

import { basePath } from '../../api/base.js';
import { isProblem } from '../../api/problem.js';
import { beginPasskey, login, signInByPasskey } from '../../api/sign-in-calls.js';
import { useEntryWords } from '../../kit/entry-words-context.js';
import { knowsPasskeys, showPasskey } from '../../kit/passkeys.js';
import { PasswordInput } from '../../kit/password-input.js';
import { ProblemNotice } from '../../kit/problem-notice.js';
import { SecondStepForm } from '../../kit/second-step-form.js';
import { SignInWays, useSignInWays } from '../../kit/sign-in-ways.js';
import { useAct } from '../../kit/use-act.js';
import { EntryFrame } from './entry-frame.js';
import type { SignInAddress } from './sign-in-address.js';
import { SignInProblem } from './sign-in-problem.js';

interface SignInPageProps {
  address: SignInAddress;
  /** Whether somebody is already, who was to confirm it and reads first why that failed. */
  isSignedIn: boolean;
  /** To the page after this one. Never done: the button is busy until that is there. */
  goOn: () => Promise<never>;
}

export function SignInPage({ address: { next, email, problem }, isSignedIn, goOn }: SignInPageProps) {
  const words = useEntryWords();
  const ways = useSignInWays();

  if (isSignedIn && problem !== null) {
    return (
      <EntryFrame title={words.notConfirmed}>
        <SignInProblem problem={problem} isSignedIn />
        <Button onClick={() => void goOn()}>{words.backToWhereYouWere}</Button>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={words.signIn}>
      {problem !== null && <SignInProblem problem={problem} />}
      {ways?.passwords !== false && <WithPassword email={email} onDone={goOn} />}
      <SignInWays next={next} />
    </EntryFrame>
  );
}

function WithPassword({ email: known, onDone }: { email: string; onDone: () => Promise<never> }) {
  const words = useEntryWords();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [half, setHalf] = useState(false);
  const signIn = useAct(async () => {
    try {
      await login({ email, password });
    } catch (error) {
      if (!isProblem(error, 'second_factor_required')) throw error;
      return setHalf(true);
    }
    await onDone();
  });
  const byPasskey = useAct(async () => {
    const { options } = await beginPasskey();
    await signInByPasskey({ passkey: await showPasskey(options) });
    await onDone();
  });

  if (half) return <SecondStepForm onDone={onDone} onBack={() => setHalf(false)} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn.run();
      }}
    >
      <Stack>
        <TextInput
          label={words.email}
          type="email"
          autoComplete="username"
          autoFocus={known === ''}
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={words.password}
          autoComplete="current-password"
          autoFocus={known !== ''}
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {signIn.problem !== null && <ProblemNotice error={signIn.problem} />}
        <Button type="submit" loading={signIn.busy}>
          {words.signIn}
        </Button>
        {knowsPasskeys && (
          <Button variant="default" loading={byPasskey.busy} onClick={() => void byPasskey.run()}>
            {words.usePasskey}
          </Button>
        )}
        {byPasskey.problem !== null && <ProblemNotice error={byPasskey.problem} />}
        <Anchor href={`${basePath}/forgot-password`} size="sm" ta="center">
          {words.forgot}
        </Anchor>
      </Stack>
    </form>
  );
}
