import type { ScriptVersion } from '@gatehouse/client/operations';

/** How long its process stays, where it does. */
export function keepLines({ keep }: Pick<ScriptVersion, 'keep'>): string[] {
  if (keep === null) return [];
  return [
    `keeps its process for up to ${keep.runs} runs and ${keep.idleSeconds} seconds without one, with what they leave in memory`,
  ];
}
