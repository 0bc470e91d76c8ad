import { Link, useMatchRoute } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { usePlace, useRights } from '../../app/use-place.js';
import { useScript } from './script-context.js';
import classes from './script-tabs.module.css';

const BASE = '/w/$workspace/$environment/scripts/$slug';

/** The parts of a script's page, each with an address; guests have only the first and what they themselves did. */
const TABS = [
  { to: BASE, label: 'Run', forGuests: true },
  { to: `${BASE}/runs`, label: 'Runs', forGuests: true },
  { to: `${BASE}/versions`, label: 'Versions', forGuests: false },
  { to: `${BASE}/schedules`, label: 'Schedules', forGuests: false },
  { to: `${BASE}/triggers`, label: 'Triggers', forGuests: false },
  { to: `${BASE}/hooks`, label: 'Hooks', forGuests: false },
  { to: `${BASE}/insights`, label: 'Insights', forGuests: false },
  { to: `${BASE}/usage`, label: 'Used by', forGuests: true },
  { to: `${BASE}/settings`, label: 'Settings', forGuests: false },
] as const;

export function ScriptTabs() {
  const place = usePlace();
  const { slug, usedBy } = useScript();
  const { edits } = useRights();
  const matches = useMatchRoute();
  const current = useRef<HTMLAnchorElement>(null);
  const params = { ...place, slug };
  const active = TABS.findIndex(({ to }) => matches({ to, params, fuzzy: to !== BASE }));
  useEffect(() => void current.current?.scrollIntoView({ block: 'nearest', inline: 'center' }), [active]);
  const counts: Record<string, number> = {
    Schedules: usedBy.schedules.length,
    Triggers: usedBy.triggers.length,
    Hooks: usedBy.hooks.length,
  };

  return (
    <nav aria-label="This script" className={classes['tabs']}>
      {TABS.map(({ to, label, forGuests }, index) =>
        edits || forGuests ? (
          <Link
            key={label}
            to={to}
            params={params}
            ref={index === active ? current : undefined}
            className={classes['tab']}
            data-active={index === active || undefined}
            aria-current={index === active ? 'page' : undefined}
            activeOptions={{ exact: to === BASE }}
            resetScroll={false}
          >
            {label}
            {counts[label] ? <span className={classes['count']}>{counts[label]}</span> : null}
          </Link>
        ) : null,
      )}
    </nav>
  );
}
