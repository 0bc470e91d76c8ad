import type { Run } from '@gatehouse/client/operations';
import { runsListOptions } from '@gatehouse/client/react-query';
import { ActionIcon, Anchor, Text } from '@mantine/core';
import IconChevronDown from 'icon:chevron-down';
import IconChevronRight from 'icon:chevron-right';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { usePlace } from '../../../app/use-place.js';
import { Moment } from '../../../kit/moment.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { Status } from '../../../kit/status.js';
import classes from './chain.module.css';

const MOST = 20;
const RUNS = '/w/$workspace/$environment/runs';

export const consequencesQuery = (causedBy: string) => ({ query: { causedBy, limit: MOST } });

interface ChainNodeProps {
  run: Run;
  /** The runs below it on the way to the one whose page is open. */
  path: readonly Run[];
  /** The id of that one. */
  here: string;
}

/** A run, and below it those that it caused: on the way to the open page that one, and all where somebody asks for them. */
export function ChainNode({ run, path, here }: ChainNodeProps) {
  const [next, ...rest] = path;
  const isHere = run.id === here;
  const [isOpen, setOpen] = useState(isHere);
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <div className={classes['run']} data-here={isHere || undefined}>
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={`What ${run.script.slug} caused`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={14} aria-hidden />
        </ActionIcon>
        <RunLink run={run} isHere={isHere} />
        <Status status={run.phase === 'finished' ? run.status : run.phase} />
        <Text size="sm" c="dimmed" component="span">
          {run.causedBy?.type === 'rerun' && 'run again, '}
          <Moment at={run.startedAt} />
        </Text>
      </div>
      {isOpen ? (
        <Consequences run={run} path={path} here={here} />
      ) : (
        next && (
          <ul className={classes['branch']}>
            <ChainNode run={next} path={rest} here={here} />
          </ul>
        )
      )}
    </li>
  );
}

function Consequences({ run, path, here }: ChainNodeProps) {
  const place = usePlace();
  const { data, error, refetch } = useQuery(runsListOptions(consequencesQuery(run.id)));
  if (!data) return error ? <ProblemNotice error={error} onRetry={refetch} /> : null;
  const [next, ...rest] = path;
  const others = data.items.filter(({ id }) => id !== next?.id);
  if (!next && others.length === 0) {
    return (
      <Text size="sm" c="dimmed" className={classes['none']}>
        It caused no run.
      </Text>
    );
  }
  return (
    <ul className={classes['branch']}>
      {next && <ChainNode key={next.id} run={next} path={rest} here={here} />}
      {others.map((other) => (
        <ChainNode key={other.id} run={other} path={[]} here={here} />
      ))}
      {data.nextCursor !== null && (
        <li className={classes['none']}>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to={RUNS} params={place} search={{ causedBy: run.id }} {...props} />}
          >
            See all that it caused
          </Anchor>
        </li>
      )}
    </ul>
  );
}

function RunLink({ run, isHere }: { run: Run; isHere: boolean }) {
  const place = usePlace();
  if (isHere) {
    return (
      <Text size="sm" fw={600} component="span" className="user-text" aria-current="page">
        {run.script.slug}, this run
      </Text>
    );
  }
  return (
    <Anchor
      size="sm"
      fw={500}
      className="user-text"
      renderRoot={(props) => <Link to={`${RUNS}/$runId`} params={{ ...place, runId: run.id }} {...props} />}
    >
      {run.script.slug}
    </Anchor>
  );
}
