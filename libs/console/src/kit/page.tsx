import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { usePageTitle } from './page-title.js';

export interface Crumb {
  label: string;
  link: LinkProps;
}

export interface PageProps {
  /** Also the title of the tab. */
  title: string;
  /** In place of the plain title, where it is more than text. */
  heading?: ReactNode;
  description?: ReactNode;
  crumbs?: Crumb[];
  actions?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** What every page is: where one is, what it is called, what can be done, and then its content. */
export function Page(props: PageProps) {
  const { title, heading, description, crumbs = [], actions, className, children } = props;
  usePageTitle(title);
  return (
    <Stack gap="lg" className={className}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box style={{ minWidth: 0, flex: '1 1 16rem' }}>
          {crumbs.length > 0 && (
            <nav aria-label="Breadcrumbs">
              {crumbs.map(({ label, link }, index) => (
                <Text key={label} span size="sm" c="dimmed">
                  {index > 0 && ' / '}
                  <Anchor
                    renderRoot={(props) => <Link {...link} {...props} />}
                    size="sm"
                    className="user-text"
                  >
                    {label}
                  </Anchor>
                </Text>
              ))}
            </nav>
          )}
          <Title order={1} className="user-text">
            {heading ?? title}
          </Title>
          {description && (
            <Text c="dimmed" size="sm" mt={4} component="div" className="user-text">
              {description}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" data-acts>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}
