import '../../../kit/chart/tones.css';

import type { Run } from '@gatehouse/client/operations';
import { Link } from '@tanstack/react-router';

import { usePlace } from '../../../app/use-place.js';
import { useArrowStops } from '../../../kit/chart/use-arrow-stops.js';
import { durationText, relativeTime } from '../../../kit/moment.js';
import { statusLabel } from '../../../kit/status.js';
import classes from './run-strip.module.css';

const TONES: Partial<Record<Run['status'], string>> = { succeeded: 'good', failed: 'bad', running: 'middle' };
/** What took no time is seen all the same, and the longest may stand out a thousandfold. */
const LEAST = 0.1;

/** The last runs as a row of bars, the newest at its end: as high as they took long, and red where they failed. */
export function RunStrip({ runs }: { runs: readonly Run[] }) {
  const place = usePlace();
  const stops = useArrowStops<HTMLOListElement>(runs.length);
  const longest = Math.max(1, ...runs.map(({ durationMs }) => durationMs ?? 0));
  return (
    <ol ref={stops.row} className={classes['strip']} aria-label="The last runs" onKeyDown={stops.onKeyDown}>
      {runs.toReversed().map((run, index) => {
        const share = Math.max(LEAST, Math.sqrt((run.durationMs ?? 0) / longest));
        const name = nameOf(run);
        return (
          <li key={run.id} className={classes['place']}>
            <Link
              className={classes['link']}
              to="/w/$workspace/$environment/runs/$runId"
              params={{ ...place, runId: run.id }}
              preload={false}
              aria-label={name}
              title={name}
              tabIndex={stops.tabIndexOf(index)}
              onFocus={() => stops.onFocusOf(index)}
            >
              <span
                className={classes['bar']}
                data-tone={TONES[run.status] ?? 'quiet'}
                style={{ height: `${share * 100}%` }}
              />
            </Link>
          </li>
        );
      })}
    </ol>
  );
}

/** `Failed, took 3.2 s, 5 minutes ago`. */
function nameOf({ phase, status, durationMs, startedAt }: Run): string {
  const took = durationMs === null ? [] : [`took ${durationText(durationMs)}`];
  return [statusLabel(phase === 'finished' ? status : phase), ...took, relativeTime(startedAt)].join(', ');
}
