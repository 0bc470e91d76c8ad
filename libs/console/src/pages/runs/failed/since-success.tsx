import type { Run } from '@gatehouse/client/operations';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { usePlace, useRights } from '../../../app/use-place.js';
import { Moment } from '../../../kit/moment.js';
import { Section } from '../../../kit/section.js';
import { type Difference, differencesOf } from './differences.js';
import classes from './since-success.module.css';

const WITHIN = '/w/$workspace/$environment';

/** What differs between a failed run and the last one that succeeded. */
export function SinceSuccess({ run, success }: { run: Run; success: Run | null }) {
  const place = usePlace();
  if (success === null) {
    return (
      <Section title="Since the last success">
        <Text size="sm" c="dimmed">
          No earlier run of {run.script.slug} in {run.environment} has succeeded.
        </Text>
      </Section>
    );
  }
  const differences = differencesOf(run, success);
  return (
    <Section
      title="Since the last success"
      description={
        <Anchor
          inherit
          renderRoot={(props) => (
            <Link to={`${WITHIN}/runs/$runId`} params={{ ...place, runId: success.id }} {...props} />
          )}
        >
          It succeeded <Moment at={success.startedAt} />
        </Anchor>
      }
    >
      {differences.length === 0 ? (
        <Text size="sm">Its version, inputs and hosts were the same.</Text>
      ) : (
        <dl className={classes['differences']}>
          {differences.map((difference) => (
            <div key={`${difference.kind} ${difference.name}`}>
              <dt>
                <Name run={run} difference={difference} />
              </dt>
              <dd className="user-text">
                <del>{difference.before}</del> <span aria-hidden>→</span> <ins>{difference.now}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

function Name({ run, difference: { kind, name, before } }: { run: Run; difference: Difference }) {
  const place = usePlace();
  const { edits } = useRights();
  if (kind === 'host') return <>Host {name}</>;
  if (kind === 'input') return <>Input {name}</>;
  // A trial is no version that could be compared.
  if (!edits || run.version === 0 || before === '0') return <>Version</>;
  return (
    <>
      Version,{' '}
      <Anchor
        inherit
        renderRoot={(props) => (
          <Link
            to={`${WITHIN}/scripts/$slug/versions/$number`}
            params={{ ...place, slug: run.script.slug, number: String(run.version) }}
            search={{ view: 'changes', against: Number(before) }}
            {...props}
          />
        )}
      >
        see what changed
      </Anchor>
    </>
  );
}
