import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';

import { lazily } from './lazily.js';

const MirrorDifference = lazily(async () => ({
  default: (await import('./code/mirror-difference.js')).MirrorDifference,
}));

export interface CodeDifferenceProps {
  before: string;
  after: string;
  /** Its name says the syntax. */
  path: string;
  maxHeight?: string;
}

/** What differs between two texts: side by side where there is room, else one below the other. */
export function CodeDifference({ maxHeight = '40rem', ...props }: CodeDifferenceProps) {
  return (
    <Suspense fallback={<Skeleton height="12rem" />}>
      <MirrorDifference maxHeight={maxHeight} {...props} />
    </Suspense>
  );
}
