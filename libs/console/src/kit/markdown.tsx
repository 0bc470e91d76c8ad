import { type ReactNode, Suspense } from 'react';

import { lazily } from './lazily.js';
import { MarkdownSkeleton } from './markdown-skeleton.js';

const MarkdownText = lazily(() => import('./markdown-text.js'));

interface MarkdownProps {
  text: string;
  /** What is seen until it is read. */
  meanwhile?: ReactNode;
}

/** Text that people wrote in Markdown, cleaned: no raw HTML, no picture from elsewhere, no link but to the web and mail. */
export function Markdown({ text, meanwhile = <MarkdownSkeleton /> }: MarkdownProps) {
  return (
    <Suspense fallback={meanwhile}>
      <MarkdownText text={text} meanwhile={meanwhile} />
    </Suspense>
  );
}
