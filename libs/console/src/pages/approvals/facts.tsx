import { Badge, Box } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Change, Marked } from './changes.js';
import classes from './facts.module.css';

/** What is so, under names: `May reach` — `api.stripe.com`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes['facts']}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="user-text">{children}</dd>
    </div>
  );
}

/** A list whose entries say whether they came or went since the last time. */
export function MarkedList<Value>({
  items,
  none,
  show,
}: {
  items: Marked<Value>[];
  none: string;
  show: (value: Value) => ReactNode;
}) {
  if (items.length === 0) return none;
  return (
    <ul className={classes['list']}>
      {items.map(({ value, change }, index) => (
        <li key={index}>
          <span className={change === 'gone' ? classes['gone'] : undefined}>{show(value)}</span>{' '}
          <ChangeBadge change={change} />
        </li>
      ))}
    </ul>
  );
}

export function ChangeBadge({ change, label }: { change: Change; label?: string }) {
  if (change === 'same') return null;
  const color = change === 'new' ? 'orange' : 'gray';
  return (
    <Badge
      size="sm"
      radius="sm"
      tt="none"
      variant="light"
      color={color}
      style={{ color: 'var(--mantine-color-text)' }}
    >
      {label ?? (change === 'new' ? 'new' : 'no longer')}
    </Badge>
  );
}

/** Stays in sight at the foot of the window. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <Box className={classes['bar']}>{children}</Box>;
}
