import type { Run } from '@gatehouse/client/operations';
import { approvalsGetOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import IconCheck from 'icon:check';
import IconMinus from 'icon:minus';
import IconX from 'icon:x';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useRights } from '../../../app/use-place.js';
import { Moment } from '../../../kit/moment.js';
import { type RunStep, runSteps } from './run-steps.js';
import classes from './run-timeline.module.css';

/** Where a run is on its way, and how long each part of it took. */
export function RunTimeline({ run }: { run: Run }) {
  const now = useSeconds(run.phase !== 'finished');
  const decision = useDecision(run);
  return (
    <ol className={classes['steps']} aria-label="Phases">
      {runSteps(run, decision, now).map((step) => (
        <Step key={step.name} step={step} />
      ))}
    </ol>
  );
}

function Step({ step: { name, state, at, note } }: { step: RunStep }) {
  return (
    <li className={classes['step']} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes['dot']} aria-hidden>
        {state === 'done' && <IconCheck size={12} stroke={3} />}
        {state === 'failed' && <IconX size={12} stroke={3} />}
        {state === 'stopped' && <IconMinus size={12} stroke={3} />}
      </span>
      <span className={classes['said']}>
        <Text span size="sm" fw={600} c={state === 'open' ? 'dimmed' : undefined}>
          {name}
        </Text>
        <Text span size="xs" c="dimmed" className={classes['when']}>
          {at !== null && <Moment at={at} />}
          {note !== null && <span className={classes['note']}>{note}</span>}
        </Text>
      </span>
    </li>
  );
}

/** When and how a held run was decided; those who may not see the request do without. */
function useDecision({ approvalRequestId, phase }: Run) {
  const { edits } = useRights();
  const { data } = useQuery({
    ...approvalsGetOptions({ path: { id: approvalRequestId ?? '' } }),
    enabled: edits && approvalRequestId !== null && phase !== 'held',
    retry: false,
  });
  return data ?? null;
}

function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
