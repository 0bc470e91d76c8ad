import { Code } from '@mantine/core';
import { Fragment } from 'react';

/** A sentence of the service, in which names stand in backticks. */
export function Described({ text }: { text: string }) {
  return text.split('`').map((part, index) => {
    const isName = index % 2 === 1;
    return isName ? <Code key={index}>{part}</Code> : <Fragment key={index}>{part}</Fragment>;
  });
}
