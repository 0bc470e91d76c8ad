import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { Brand } from '../../kit/brand.js';
import { usePageTitle } from '../../kit/page-title.js';
import classes from './entry-frame.module.css';

/** The pages before one is in: a single card in the middle. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className={classes['page']}>
      <div className={classes['column']}>
        <div className={classes['brand']}>
          <Brand />
        </div>
        <Stack className={classes['card'] ?? ''}>
          <Title order={1} className="user-text">
            {title}
          </Title>
          {children}
        </Stack>
      </div>
    </main>
  );
}
