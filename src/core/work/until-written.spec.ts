import { expect, it } from 'vitest';

import { untilWritten } from './until-written.js';

it('What must not be lost is tried until it is written, or until nobody wants it to be', async () => {
  let tries = 0;
  const write = (): Promise<string> => {
    tries += 1;
    return tries < 2 ? Promise.reject(new Error(`away ${tries}`)) : Promise.resolve('written');
  };
  const told: string[] = [];
  const again = (error: unknown): boolean => told.push((error as Error).message) > 0;
  expect(await untilWritten(write, again)).toBe('written');
  expect(told).toEqual(['away 1']);
  tries = 0;
  await expect(untilWritten(write, () => false)).rejects.toThrow('away 1');
  expect(tries).toBe(1);
});
