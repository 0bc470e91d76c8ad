import { Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';

import { lazily } from './lazily.js';

const MarkdownText = lazily(() => import('./markdown-text.js'));

/** Text that people wrote in Markdown, cleaned: no raw HTML, no picture from elsewhere, no link but to the web and mail. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<MarkdownSkeleton />}>
      <MarkdownText text={text} />
    </Suspense>
  );
}

function MarkdownSkeleton() {
  return (
    <Stack gap="xs" aria-hidden>
      <Skeleton height={20} width="40%" />
      <Skeleton height={14} />
      <Skeleton height={14} width="80%" />
    </Stack>
  );
}
