import { expect, vi } from 'vitest';

import type { Sandbox } from '../sandbox.js';

/** Does the work, and waits until one more template could be had or not. */
export async function settled(box: Sandbox, work: () => Promise<unknown>, timeout = 60_000): Promise<void> {
  const known = (): number => box.templateState!.made + box.templateState!.refused;
  const before = known();
  await work();
  await vi.waitFor(() => expect(known()).toBeGreaterThan(before), { timeout, interval: 20 });
}
