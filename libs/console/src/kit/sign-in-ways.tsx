import { type SignInWay, signInWaysStart } from '@gatehouse/client/operations';
import { signInWaysListOptions } from '@gatehouse/client/react-query';
import { Button, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { basePath } from '../api/base.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';

interface SignInWaysProps {
  /** The page to come back to; by default this one. */
  next?: string;
  /** For whom the buttons are. */
  note?: string;
}

/** A button for each way to sign in besides a password. */
export function SignInWays({ next, note }: SignInWaysProps) {
  const { data } = useQuery({ ...signInWaysListOptions(), staleTime: Infinity });
  if (!data || data.items.length === 0) return null;
  return (
    <Stack>
      <Divider label="or" />
      {note !== undefined && <Text size="sm">{note}</Text>}
      {data.items.map((way) => (
        <SignInWayButton key={way.id} way={way} next={next} />
      ))}
    </Stack>
  );
}

function SignInWayButton({ way: { id, title }, next }: { way: SignInWay; next: string | undefined }) {
  const { run, busy, problem } = useAct(async () => {
    const { data } = await signInWaysStart({ path: { way: id }, body: { next: next ?? thisPage() } });
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
