import type { Run } from '@gatehouse/client/operations';
import { runsListOptions } from '@gatehouse/client/react-query';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { Section } from '../../../kit/section.js';
import { RunCause } from '../run/run-causes.js';
import { ChainNode, consequencesQuery } from './chain-node.js';
import classes from './chain.module.css';
import { causingRunOf, useCausesAbove } from './use-causes-above.js';

/** What led to a run and what came of it, as a tree that goes on where somebody opens it. */
export function Chain({ run }: { run: Run }) {
  const above = useCausesAbove(run);
  const below = useQuery(runsListOptions(consequencesQuery(run.id)));
  const isAlone = causingRunOf(run) === null && (below.data?.items.length ?? 0) === 0;
  if (isAlone || !above) return null;
  const [first = run, ...path] = [...above.runs, run];
  const cause = above.isCut || above.isHidden ? null : first.causedBy;
  return (
    <Section title="Chain" description="What led to this run, and what came of it.">
      <div className={classes['chain']}>
        {cause !== null && causingRunOf(first) === null && (
          <Text size="sm" c="dimmed" component="div" mb={6}>
            It began with: <RunCause cause={cause} script={first.script.slug} />
          </Text>
        )}
        {(above.isCut || above.isHidden) && (
          <Text size="sm" c="dimmed" mb={6}>
            {above.isCut
              ? 'There are more runs before these.'
              : 'What stands before these is not here for you to see.'}
          </Text>
        )}
        <ul className={classes['branch']} aria-label="Chain of runs">
          <ChainNode run={first} path={path} here={run.id} />
        </ul>
      </div>
    </Section>
  );
}
