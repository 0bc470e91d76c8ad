import type { Run } from '@gatehouse/client/operations';

/** What a run runs: a trial has no number. */
export const versionName = ({ trial, version }: Pick<Run, 'trial' | 'version'>): string =>
  trial ? 'a trial' : `version ${version}`;
