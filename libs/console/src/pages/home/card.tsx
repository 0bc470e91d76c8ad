import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { ProblemNotice } from '../../kit/problem-notice.js';
import type { Reading } from '../../kit/reading.js';

interface CardProps {
  title: string;
  /** Where there is more of it. */
  more?: { label: string; link: LinkProps };
  query: Reading;
  /** Instead of nothing. */
  empty: string;
  isEmpty: boolean;
  children: ReactNode;
}

/** One thing that one wants to know of a workspace. */
export function Card({ title, more, query, empty, isEmpty, children }: CardProps) {
  const { data, error, refetch } = query;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} fz="sm">
            {title}
          </Title>
          {more && (
            <Anchor size="sm" renderRoot={(props) => <Link {...more.link} {...props} />}>
              {more.label}
            </Anchor>
          )}
        </Group>
        {data === undefined &&
          (error ? <ProblemNotice error={error} onRetry={refetch} /> : <Skeleton height={48} />)}
        {data !== undefined && isEmpty && (
          <Text size="sm" c="dimmed">
            {empty}
          </Text>
        )}
        {data !== undefined && !isEmpty && children}
      </Stack>
    </Paper>
  );
}
