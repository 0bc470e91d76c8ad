import { type Run, runsCancel, runsRerun } from '@gatehouse/client/operations';
import { runsGetQueryKey } from '@gatehouse/client/react-query';
import { Button } from '@mantine/core';
import IconPencil from 'icon:pencil';
import IconPlayerPlay from 'icon:player-play';
import IconPlayerStop from 'icon:player-stop';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { confirmDestruction } from '../../../kit/confirm.js';
import { notifyProblem } from '../../../kit/notify.js';
import { useBeginRun } from '../start/use-begin-run.js';
import { MoveButton } from './move-run.js';

/** Cancel while it goes on; again, with the same inputs or others. */
export function RunActions({ run }: { run: Run }) {
  return (
    <>
      <MoveButton run={run} />
      {run.phase === 'finished' ? <RunAgain run={run} /> : <CancelButton run={run} />}
      <OtherInputs run={run} />
    </>
  );
}

function CancelButton({ run }: { run: Run }) {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const cancel = async (): Promise<void> => {
    setAsked(true);
    try {
      await runsCancel({ path: { runId: run.id } });
      await queries.invalidateQueries({ queryKey: runsGetQueryKey({ path: { runId: run.id } }) });
    } catch (error) {
      notifyProblem(error);
      setAsked(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isAsked}
      leftSection={<IconPlayerStop size={16} aria-hidden />}
      onClick={() =>
        confirmDestruction({
          title: `Cancel this run of ${run.script.slug}?`,
          children: 'What it has done so far stays done. It ends as cancelled, without an output.',
          confirm: 'Cancel the run',
          onConfirm: () => void cancel(),
        })
      }
    >
      Cancel
    </Button>
  );
}

function RunAgain({ run }: { run: Run }) {
  const { begin, busy, problem } = useBeginRun();
  useEffect(() => {
    if (problem !== null) notifyProblem(problem);
  }, [problem]);
  return (
    <Button
      data-key="r"
      loading={busy}
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
      onClick={() =>
        void begin({ slug: run.script.slug, test: run.test, plan: run.plan, attempt: run.id }, (key) =>
          runsRerun({ path: { runId: run.id }, headers: { 'Idempotency-Key': key } }),
        )
      }
    >
      {run.plan ? 'Plan again' : 'Run again'}
    </Button>
  );
}

function OtherInputs({ run }: { run: Run }) {
  const place = usePlace();
  return (
    <Button
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link
          to="/w/$workspace/$environment/scripts/$slug"
          params={{ ...place, slug: run.script.slug }}
          search={{ from: run.id }}
          {...props}
        />
      )}
    >
      With other inputs
    </Button>
  );
}
