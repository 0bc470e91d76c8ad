import { type Run, runsRerun } from '@gatehouse/client/operations';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import IconCopy from 'icon:copy';
import IconFileText from 'icon:file-text';
import IconPencil from 'icon:pencil';
import IconPlayerPlay from 'icon:player-play';

import type { Place } from '../../../api/place.js';
import { usePlace, useRights } from '../../../app/use-place.js';
import { copied } from '../../../kit/copied.js';
import { notifyDone, notifyProblem } from '../../../kit/notify.js';
import { type RowAct, RowActs } from '../../../kit/row-acts.js';

/** What can be done with a run in a list. */
export function RunActs({ run }: { run: Run }) {
  const place = usePlace();
  const { edits } = useRights();
  const { id, script, version, phase, plan, trial } = run;
  const again: RowAct = {
    label: plan ? 'Plan again' : 'Run again',
    icon: IconPlayerPlay,
    onAct: () => void runAgain(run, place),
  };
  const log: RowAct = {
    label: 'Open the log',
    icon: IconFileText,
    link: { to: '/w/$workspace/$environment/runs/$runId', params: { ...place, runId: id }, hash: 'log' },
  };
  const edit: RowAct = {
    label: 'Edit this version',
    icon: IconPencil,
    link: {
      to: '/w/$workspace/$environment/scripts/$slug/edit',
      params: { ...place, slug: script.slug },
      search: { version },
    },
  };
  return (
    <RowActs
      of={`the run ${id}`}
      acts={[
        ...(phase === 'held' ? [] : [log]),
        ...(edits && !trial ? [edit] : []),
        { label: 'Copy the id', icon: IconCopy, onAct: () => void copied(id) },
        // It is not taken back, so it is not the first that a slip of the hand meets.
        ...(phase === 'finished' ? [again] : []),
      ]}
    />
  );
}

/** The response comes when it has ended, or waits for a person; the list shows it before. */
async function runAgain({ id, script, plan }: Run, place: Place): Promise<void> {
  try {
    const { data } = await runsRerun({
      path: { runId: id },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
    notifyDone(
      <>
        {plan ? 'A plan' : 'A run'} of {script.slug}{' '}
        {data.phase === 'held' ? 'waits for approval' : 'is asked for'}.{' '}
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/runs/$runId"
              params={{ ...place, runId: data.id }}
              {...props}
            />
          )}
        >
          Open it
        </Anchor>
      </>,
    );
  } catch (error) {
    notifyProblem(error);
  }
}
