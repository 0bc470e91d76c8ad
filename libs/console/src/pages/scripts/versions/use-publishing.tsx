import { publishingPublish, publishingUnpublish } from '@gatehouse/client/operations';
import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { staleAfter } from '../../../app/stale-after.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyDone } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useRefresh } from '../../../kit/use-refresh.js';
import { useScript } from '../script-context.js';

export interface Publishing {
  publish: (number: number) => void;
  unpublish: () => void;
  /** The version that is being published, or 0 while unpublishing. */
  busyWith: number | null;
  /** What came of it, where that is more than the new state: a request, or a problem. */
  outcome: ReactNode;
}

/** Decides which version runs use; where it takes a second person, a request is filed instead. */
export function usePublishing(): Publishing {
  const { slug, name, publishedVersion } = useScript();
  const refresh = useRefresh();
  const [busyWith, setBusyWith] = useState<number | null>(null);
  const [request, setRequest] = useState<{ id: string; number: number } | null>(null);
  const [done, setDone] = useState<{ number: number; before: number } | null>(null);
  const { run, problem } = useAct(async (number: number) => {
    setRequest(null);
    setDone(null);
    setBusyWith(number);
    try {
      if (number === 0) await publishingUnpublish({ path: { slug } });
      else {
        const body = { version: number, expectedVersion: publishedVersion ?? 0 };
        const { data } = await publishingPublish({ path: { slug }, body });
        if ('approval' in data) return setRequest({ id: data.approval.id, number });
      }
      await refresh(...staleAfter('script.changed'));
      if (number !== 0 && publishedVersion !== null) setDone({ number, before: publishedVersion });
      else notifyDone(number === 0 ? `${name} is a draft again.` : inUse(number));
    } finally {
      setBusyWith(null);
    }
  });
  const unpublish = (): void =>
    confirmDestruction({
      title: `Unpublish ${name}?`,
      children:
        'Nobody can run it, and its schedules and triggers start nothing, until a version is published again.',
      confirm: 'Unpublish',
      onConfirm: () => void run(0),
    });
  const outcome = request ? (
    <RequestFiled {...request} />
  ) : problem !== null ? (
    <ProblemNotice error={problem} />
  ) : (
    done && <Published {...done} onUndo={() => void run(done.before)} />
  );
  return { publish: (number) => void run(number), unpublish, busyWith, outcome };
}

const inUse = (number: number): string => `Runs use version ${number} from now on.`;

/** With the way back, for whoever has published the wrong one or rolled back too far. */
function Published({ number, before, onUndo }: { number: number; before: number; onUndo: () => void }) {
  return (
    <Alert color="teal" variant="light" role="status">
      <Group gap="sm" justify="space-between">
        <Text size="sm">{inUse(number)}</Text>
        <Button size="compact-sm" variant="default" data-key="z" onClick={onUndo}>
          Undo: publish version {before} again
        </Button>
      </Group>
    </Alert>
  );
}

function RequestFiled({ id, number }: { id: string; number: number }) {
  return (
    <Alert color="yellow" variant="light" title={`Version ${number} waits for a second person`} role="status">
      <Text size="sm">
        In this workspace an owner or admin other than you decides what is published.{' '}
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link to="/approvals/$requestId" params={{ requestId: id }} {...props} />}
        >
          See the request
        </Anchor>
      </Text>
    </Alert>
  );
}
