import { type SignInWay, type SignInWayList, signInWaysStart } from '@gatehouse/client/operations';
import { signInWaysListOptions } from '@gatehouse/client/react-query';
import { Button, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { basePath } from '../api/base.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';

interface SignInWaysProps {
  /** The page to come back to; by default this one. */
  next?: string;
  /** For whom the buttons are. */
  note?: ReactNode;
  /** Whether whoever is signed in proves once more who they are. */
  confirm?: boolean;
}

/** What people sign in with here; undefined while that is asked. */
export function useSignInWays(): SignInWayList | undefined {
  return useQuery({ ...signInWaysListOptions(), staleTime: Infinity }).data;
}

/** A button for each way to sign in besides a password. */
export function SignInWays({ next, note, confirm = false }: SignInWaysProps) {
  const ways = useSignInWays();
  if (!ways || ways.items.length === 0) return null;
  return (
    <Stack>
      {ways.passwords && <Divider label="or" />}
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
  const { run, busy, problem } = useAct(async () => {
    const body = { next: next ?? thisPage(), ...(confirm && { confirm }) };
    const { data } = await signInWaysStart({ path: { way: id }, body });
    window.location.assign(data.redirectTo);
  });
  return (
    <>
      {problem !== null && <ProblemNotice error={problem} />}
      <Button variant="default" loading={busy} onClick={() => void run()} className="user-text">
        Sign in with {title}
      </Button>
    </>
  );
}

function thisPage(): string {
  const { pathname, search, hash } = window.location;
  return `${pathname.slice(basePath.length)}${search}${hash}`;
}
