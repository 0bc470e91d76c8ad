import type { ErrorGroup } from '@gatehouse/client/operations';
import { errorsListOptions } from '@gatehouse/client/react-query';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { usePlace } from '../../app/use-place.js';
import { counted } from '../../kit/counted.js';
import { Moment } from '../../kit/moment.js';
import { RunOperations } from '../runs/list/run-operations.js';
import { Card } from './card.js';
import { Entries, Entry } from '../../kit/entries.js';
import { RunFailedAgain } from './run-failed-again.js';

const SHOWN = 5;
/** The newest stand first. */
const MOST = 20;
const ERRORS = '/w/$workspace/$environment/errors';

/** What has failed since the beginning of yesterday, each error once. */
export function Failures() {
  const place = usePlace();
  const query = useQuery(errorsListOptions({ query: { status: 'open', limit: MOST } }));
  const [begun, setBegun] = useState<string[]>([]);
  const since = beginningOfYesterday();
  const failed = query.data?.items.filter(({ lastAt }) => Date.parse(lastAt) >= since.getTime()) ?? [];
  return (
    <Card
      title="Failures since yesterday"
      query={query}
      isEmpty={failed.length === 0}
      empty="Nothing has failed."
      more={{ label: failed.length > SHOWN ? 'More errors' : 'Errors', link: { to: ERRORS, params: place } }}
    >
      {begun.length > 0 && (
        <RunOperations
          begun={begun}
          onClose={(id) => setBegun((others) => others.filter((one) => one !== id))}
        />
      )}
      <Entries>
        {failed.slice(0, SHOWN).map((error) => (
          <Entry
            key={error.id}
            name={
              <Anchor
                inherit
                fw={500}
                renderRoot={(props) => (
                  <Link to={`${ERRORS}/$errorId`} params={{ ...place, errorId: error.id }} {...props} />
                )}
              >
                {error.title}
              </Anchor>
            }
            about={<HowOften error={error} since={since} />}
          >
            <RunFailedAgain
              error={error}
              since={since.toISOString()}
              onBegun={({ id }) => setBegun((others) => [...others, id])}
            />
          </Entry>
        ))}
      </Entries>
    </Card>
  );
}

function HowOften({ error: { script, count, firstAt, lastAt }, since }: { error: ErrorGroup; since: Date }) {
  return (
    <>
      {script.slug} · {counted(count, 'run')}
      {Date.parse(firstAt) < since.getTime() && (
        <>
          {' '}
          since <Moment at={firstAt} />
        </>
      )}
      , last <Moment at={lastAt} />
    </>
  );
}

function beginningOfYesterday(): Date {
  const day = new Date();
  day.setDate(day.getDate() - 1);
  day.setHours(0, 0, 0, 0);
  return day;
}
