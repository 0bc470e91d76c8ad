import type { Script } from '@gatehouse/client';
import { ActionIcon, Anchor, Box, Group, Text } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';

import { usePlace } from '../../../app/use-place.js';
import type { Column } from '../../../kit/listing.js';
import { Moment } from '../../../kit/moment.js';
import { Status } from '../../../kit/status.js';
import { SuccessRate } from '../success-rate.js';
import { usePins } from './pins.js';
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
        cell: ({ stats }) => <SuccessRate stats={stats} />,
      },
      {
        id: 'last',
        header: 'Last run',
        align: 'right',
        cell: ({ stats }) =>
          stats.lastRunAt ? (
            <Moment at={stats.lastRunAt} />
          ) : (
            <Text span size="sm" c="dimmed">
              never run
            </Text>
          ),
      },
    ],
    [],
  );
}

function NameCell({ script: { slug, name, description, tags } }: { script: Script }) {
  const place = usePlace();
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <PinButton slug={slug} name={name} />
      <Box style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Anchor
            fw={600}
            size="sm"
            className="user-text"
            renderRoot={(props) => (
              <Link to="/w/$workspace/$environment/scripts/$slug" params={{ ...place, slug }} {...props} />
            )}
          >
            {name}
          </Anchor>
          {tags.map((tag) => (
            <TagLink key={tag} tag={tag} />
          ))}
        </Group>
        <Text size="sm" c="dimmed" className="user-text" lineClamp={2}>
          {description || slug}
        </Text>
      </Box>
    </Group>
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
