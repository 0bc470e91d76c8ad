import type { SignInWay, SignInWayList } from '@gatehouse/client/operations';
import { Button, Divider, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { basePath } from '../api/base.js';
import { patiently } from '../api/retries.js';
import { listSignInWays, startSignInWay } from '../api/sign-in-calls.js';
import { useEntryWords } from './entry-words-context.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';
import { useAsked } from './use-asked.js';

interface SignInWaysProps {
  /** The page to come back to; by default this one. */
  next?: string;
  /** For whom the buttons are. */
  note?: ReactNode;
  /** Whether whoever is signed in proves once more who they are. */
  confirm?: boolean;
}

let loading: Promise<SignInWayList> | undefined;
let known: SignInWayList | undefined;

/** Asked once for a page: the settings that say them are read when the service starts. */
export function loadSignInWays(): Promise<SignInWayList> {
  loading ??= patiently(listSignInWays).then(
    (ways) => (known = ways),
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** What people sign in with here; undefined while that is asked. */
export function useSignInWays(): SignInWayList | undefined {
  return useAsked(loadSignInWays, known).answer;
}

/** A button for each way to sign in besides a password. */
export function SignInWays({ next, note, confirm = false }: SignInWaysProps) {
  const { answer: ways, error, again } = useAsked(loadSignInWays, known);
  const words = useEntryWords();
  if (error !== undefined) return <ProblemNotice error={error} onRetry={again} />;
  if (!ways || ways.items.length === 0) return null;
  return (
    <Stack>
      {ways.passwords && <Divider label={words.or} />}
      {note !== undefined && <Text size="sm">{note}</Text>}
      {ways.items.map((way) => (
        <SignInWayButton key={way.id} way={way} next={next} confirm={confirm} />
      ))}
    </Stack>
  );
}

interface SignInWayButtonProps {
  way: SignInWay;
  next: string | undefined;
  confirm: boolean;
}

function SignInWayButton({ way: { id, title }, next, confirm }: SignInWayButtonProps) {
  const words = useEntryWords();
  const { run, busy, problem } = useAct(async () => {
    const { redirectTo } = await startSignInWay(id, {
      next: next ?? thisPage(),
      ...(confirm && { confirm }),
    });
    window.location.assign(redirectTo);
  });
  return (
    <>
      {problem !== null && <ProblemNotice error={problem} />}
      <Button variant="default" loading={busy} onClick={() => void run()} className="user-text">
        {words.signInWith(title)}
      </Button>
    </>
  );
}

/** As `next` has it: below the path that the service is reached under. */
export function thisPage(): string {
  const { pathname, search, hash } = window.location;
  return `${pathname.slice(basePath.length)}${search}${hash}`;
}
