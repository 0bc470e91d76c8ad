import type { SettingsReader } from './settings-reader.js';

/** What a worker carries, and a version or an environment asks for. */
export const WORKER_TAG = /^[a-z0-9][a-z0-9._-]{0,49}$/;
export const WORKER_TAG_RULE =
  'must begin with a lower-case letter or digit, and have only those and any of . _ -, at most 50';
/** That may be asked for. */
export const MOST_WORKER_TAGS = 10;
const MOST_CARRIED = 50;

/** What this worker carries. */
export function readWorkerTags(read: SettingsReader): string[] {
  const tags = [...new Set(read.list('GATEHOUSE_WORKER_TAGS'))];
  if (tags.length <= MOST_CARRIED && tags.every((tag) => WORKER_TAG.test(tag))) return tags;
  const takes = `up to ${MOST_CARRIED} tags such as eu-vpc, separated by commas: each of lower-case letters, digits and any of . _ -`;
  read.refuseShowing('GATEHOUSE_WORKER_TAGS', tags.join(','), takes);
  return [];
}
