import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';

import { lazily } from './lazily.js';

const MirrorView = lazily(async () => ({
  default: (await import('./code/mirror-view.js')).MirrorView,
}));

const LINE_PX = 20;
const MOST_LINES = 24;

export interface CodeViewProps {
  text: string;
  /** Its name says the syntax. */
  path: string;
  label?: string;
  maxHeight?: string;
}

/** Text that is only read, with the colours of its syntax. */
export function CodeView({ text, path, label = path, maxHeight = '32rem' }: CodeViewProps) {
  return (
    <Suspense fallback={<Skeleton height={heightOf(text)} />}>
      <MirrorView key={path} text={text} path={path} label={label} maxHeight={maxHeight} />
    </Suspense>
  );
}

function heightOf(text: string): number {
  const lines = text.split('\n', MOST_LINES).length;
  return lines * LINE_PX + 10;
}
