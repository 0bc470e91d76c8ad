import type { Script } from '@gatehouse/client/operations';
import { ActionIcon } from '@mantine/core';
import IconPin from 'icon:pin';
import IconPinFilled from 'icon:pin-filled';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { actsColumn } from '../../../kit/row-acts.js';
import { Status } from '../../../kit/status.js';
import { SuccessRate } from '../success-rate.js';
import { usePins } from './pins.js';
import { ScriptActs } from './script-acts.js';
import classes from './script-columns.module.css';
import { TagLink } from './tag-link.js';

export function useScriptColumns(): Column<Script>[] {
  return useMemo(
    (): Column<Script>[] => [
      { id: 'name', header: 'Script', ownLine: true, cell: (script) => <NameCell script={script} /> },
      { id: 'status', header: 'Status', cell: ({ status }) => <Status status={status} /> },
      {
        id: 'success',
        header: 'Success, 30 days',
        align: 'right',
        cell: ({ stats }) => <SuccessRate rate={stats.successRate} runs={stats.runs30d} />,
      },
      {
        id: 'last',
        header: 'Last run',
        align: 'right',
        cell: ({ stats }) =>
          stats.lastRunAt ? <Moment at={stats.lastRunAt} /> : <span className="dimmed">never run</span>,
      },
      actsColumn((script) => <ScriptActs script={script} />),
    ],
    [],
  );
}

function NameCell({ script: { slug, name, description, tags } }: { script: Script }) {
  const place = usePlace();
  return (
    <div className={classes['name']}>
      <PinButton slug={slug} name={name} />
      <div className={classes['text']}>
        <div className={classes['title']}>
          <Link
            className={`user-text ${classes['link']}`}
            to="/w/$workspace/$environment/scripts/$slug"
            params={{ ...place, slug }}
          >
            {name}
          </Link>
          {tags.map((tag) => (
            <TagLink key={tag} tag={tag} />
          ))}
        </div>
        <div className={`user-text ${classes['description']}`}>{description || slug}</div>
      </div>
    </div>
  );
}

function PinButton({ slug, name }: { slug: string; name: string }) {
  const { pins, togglePin } = usePins();
  const pinned = pins.includes(slug);
  const Icon = pinned ? IconPinFilled : IconPin;
  return (
    <ActionIcon
      variant="subtle"
      color={pinned ? 'gate' : 'gray'}
      size="sm"
      aria-label={`Pin ${name}`}
      title={pinned ? 'Take it from the top of the list' : 'Keep it at the top of the list'}
      aria-pressed={pinned}
      onClick={() => togglePin(slug)}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}
