import type { Run } from '@gatehouse/client/operations';
import { Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import type { Place } from '../../api/place.js';

interface RunLabelsProps {
  labels: Run['labels'];
  place: Place;
  /** More are only counted. */
  most?: number;
}

/** What a run is labelled with; each leads to the runs that have the same. */
export function RunLabels({ labels, place, most = Infinity }: RunLabelsProps) {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  if (all.length === 0) return null;
  return (
    <Group gap={4}>
      {all.slice(0, most).map((label) => (
        <Badge
          key={label}
          size="sm"
          variant="outline"
          color="gray"
          tt="none"
          radius="sm"
          fw={500}
          c="var(--mantine-color-text)"
          maw={260}
          style={{ cursor: 'pointer' }}
          renderRoot={(props) => (
            <Link
              to="/w/$workspace/$environment/runs"
              params={place}
              search={{ label: [label] }}
              {...props}
            />
          )}
        >
          {label}
        </Badge>
      ))}
      {all.length > most && (
        <Text size="xs" c="dimmed">
          {all.length - most} more
        </Text>
      )}
    </Group>
  );
}
