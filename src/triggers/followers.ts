import { type Filter, mismatch } from './matching/filter.js';

/** Whether a filter lets pass runs of a script: what it asks of anything else of the event is not known before. */
export function mayFollow(filter: Filter, script: { id: string; slug: string; name: string }): boolean {
  const about = Object.entries(filter).filter(([path]) => path === 'script' || path.startsWith('script.'));
  return mismatch(Object.fromEntries(about), { script }) === null;
}
