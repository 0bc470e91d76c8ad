import type { Run } from '@gatehouse/client/operations';
import { runsListOptions } from '@gatehouse/client/react-query';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { Status } from '../../../kit/status.js';
import { Fact } from './fact.js';

type Cause = NonNullable<Run['causedBy']>;

const CAUSES: Record<Cause['type'], string> = {
  run: 'A run',
  rerun: 'A run that was run again',
  event: 'The event',
  conversation: 'A conversation with an agent',
  batch: 'The batch',
  schedule: 'Its schedule',
  trigger: 'Its trigger',
  hook: 'Its hook',
};

/** What stands directly before a run. */
export function RunCause({ cause: { type, id } }: { cause: Cause }) {
  const place = usePlace();
  if (type === 'run' || type === 'rerun') return <RunLink id={id} label={CAUSES[type]} />;
  if (type === 'batch') {
    return (
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link to="/w/$workspace/$environment/runs" params={place} search={{ causedBy: id }} {...props} />
        )}
      >
        A batch
      </Anchor>
    );
  }
  return (
    <>
      {CAUSES[type]} <code>{id}</code>
    </>
  );
}

const SHOWN = 5;

/** The newest of the runs that a run caused, as far as whoever looks may see them. */
export function RunConsequences({ runId }: { runId: string }) {
  const place = usePlace();
  const { data } = useQuery(runsListOptions({ query: { causedBy: runId, limit: SHOWN } }));
  if (!data || data.items.length === 0) return null;
  return (
    <Fact name="It caused">
      {data.items.map(({ id, script, phase, status }) => (
        <div key={id}>
          <RunLink id={id} label={script.slug} /> <Status status={phase === 'finished' ? status : phase} />
        </div>
      ))}
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link to="/w/$workspace/$environment/runs" params={place} search={{ causedBy: runId }} {...props} />
        )}
      >
        {data.nextCursor === null ? 'See them in the list' : 'See all'}
      </Anchor>
    </Fact>
  );
}

function RunLink({ id, label }: { id: string; label: string }) {
  const place = usePlace();
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link to="/w/$workspace/$environment/runs/$runId" params={{ ...place, runId: id }} {...props} />
      )}
    >
      <Text span inherit className="user-text">
        {label}
      </Text>
    </Anchor>
  );
}
