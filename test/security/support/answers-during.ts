import { expect } from 'vitest';

import type { Answer } from '../../../libs/testing/index.js';

/** How long it waits between two requests, in ms. */
const PAUSE_MS = 10;

/** How often somebody else's small request was answered while something went on. What holds everybody up leaves one or two. */
export async function answersDuring(
  meanwhile: Promise<unknown>,
  ask: () => Promise<Answer>,
): Promise<number> {
  let isOver = false;
  let answers = 0;
  const end = meanwhile.finally(() => (isOver = true));
  do {
    const { status, text } = await ask();
    expect(status, text).toBe(200);
    answers += 1;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  } while (!isOver);
  await end;
  return answers;
}

/** Others are answered once a second at least while something goes on. */
export async function expectAnswersDuring(
  meanwhile: Promise<unknown>,
  ask: () => Promise<Answer>,
): Promise<void> {
  const began = performance.now();
  const answers = await answersDuring(meanwhile, ask);
  expect(answers).toBeGreaterThanOrEqual(Math.floor((performance.now() - began) / 1000));
}
