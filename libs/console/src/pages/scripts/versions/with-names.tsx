import { Code } from '@mantine/core';
import type { ReactNode } from 'react';

/** A sentence whose names stand in backticks. */
export function WithNames({ text }: { text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <Code key={index}>{part}</Code> : <span key={index}>{part}</span>,
    );
}
