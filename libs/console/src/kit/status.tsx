import type { MantineColor } from '@mantine/core';

import classes from './status.module.css';

interface Look {
  label: string;
  color: MantineColor;
}

/** Every status that the service knows, as people read it. */
const LOOKS: Record<string, Look> = {
  draft: { label: 'Draft', color: 'gray' },
  published: { label: 'Published', color: 'teal' },
  archived: { label: 'Archived', color: 'gray' },
  held: { label: 'Waits for approval', color: 'orange' },
  awaiting_approval: { label: 'Waits for approval', color: 'orange' },
  delayed: { label: 'Starts later', color: 'blue' },
  waiting: { label: 'Waits for its turn', color: 'orange' },
  queued: { label: 'Queued', color: 'blue' },
  starting: { label: 'Starting', color: 'blue' },
  executing: { label: 'Running', color: 'blue' },
  retrying: { label: 'Waits to try again', color: 'orange' },
  running: { label: 'Running', color: 'blue' },
  succeeded: { label: 'Succeeded', color: 'teal' },
  failed: { label: 'Failed', color: 'red' },
  cancelled: { label: 'Cancelled', color: 'gray' },
  pending: { label: 'Pending', color: 'orange' },
  approved: { label: 'Approved', color: 'teal' },
  completed: { label: 'Done', color: 'teal' },
  denied: { label: 'Denied', color: 'red' },
  expired: { label: 'Expired', color: 'gray' },
  delivered: { label: 'Delivered', color: 'teal' },
  open: { label: 'Open', color: 'red' },
  resolved: { label: 'Resolved', color: 'teal' },
  ignored: { label: 'Ignored', color: 'gray' },
  enabled: { label: 'On', color: 'teal' },
  disabled: { label: 'Off', color: 'gray' },
};

export const STATUSES: readonly string[] = Object.keys(LOOKS);

export function statusLabel(status: string): string {
  return LOOKS[status]?.label ?? status;
}

/** A dot and a word; the colour alone says nothing. */
export function Status({ status, label }: { status: string; label?: string }) {
  const look = LOOKS[status] ?? { label: status, color: 'gray' };
  return (
    <span className={classes['status']} data-bad={look.color === 'red' || undefined}>
      <span className={classes['dot']} style={{ background: `var(--mantine-color-${look.color}-6)` }} />
      {label ?? look.label}
    </span>
  );
}
