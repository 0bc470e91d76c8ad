import { type SignInWay, signInWaysStart } from '@gatehouse/client/operations';
import { signInWaysListOptions } from '@gatehouse/client/react-query';
import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { basePath } from '../api/base.js';
import { ProblemNotice } from './problem-notice.js';
import { useAct } from './use-act.js';

/** A button for each way to sign in besides a password. `next`: the page to come back to; by default this one. */
export function SignInWays({ next }: { next?: string }) {
  const { data } = useQuery({ ...signInWaysListOptions(), staleTime: Infinity });
  if (!data || data.items.length === 0) return null;
  return (
    <Stack>
      <Divider label="or" />
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
