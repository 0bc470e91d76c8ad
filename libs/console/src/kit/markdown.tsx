import { Suspense } from 'react';

import { lazily } from './lazily.js';
import { MarkdownSkeleton } from './markdown-skeleton.js';

const MarkdownText = lazily(() => import('./markdown-text.js'));

/** Text that people wrote in Markdown, cleaned: no raw HTML, no picture from elsewhere, no link but to the web and mail. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<MarkdownSkeleton />}>
      <MarkdownText text={text} />
    </Suspense>
  );
}
