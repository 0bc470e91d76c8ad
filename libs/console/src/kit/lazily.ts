import { type ComponentType, lazy } from 'react';

import { isReachable } from '../api/reachable.js';

const PAUSE_MS = 3_000;

/**
 * A part of a page that is loaded when it is first shown. Waits while the service cannot be reached: a part that fails
 * takes the page with it, and what was typed there.
 */
// React's own type of what `lazy` takes.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function lazily<Part extends ComponentType<any>>(load: () => Promise<{ default: Part }>) {
  return lazy(async () => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (await isReachable()) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
}
