import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

import { isProblem } from '../api/problem.js';

export function notifyDone(message: ReactNode): void {
  notifications.show({ message, color: 'teal' });
}

/** For acts without a form of their own; forms show the problem beside what was typed. */
export function notifyProblem(error: unknown): void {
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  const request = isProblem(error) && error.requestId ? ` (request ${error.requestId})` : '';
  notifications.show({ message: `${message}${request}`, color: 'red', autoClose: 10_000 });
}
