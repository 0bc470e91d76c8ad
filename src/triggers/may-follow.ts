import { type Filter, mismatch } from '../automations/index.js';

/** Whether a script's runs can fire a trigger with this filter. What the filter asks of anything but the script is left open. */
export function mayFollow(filter: Filter, script: { id: string; slug: string; name: string }): boolean {
  const about = Object.entries(filter).filter(([path]) => path === 'script' || path.startsWith('script.'));
  return mismatch(Object.fromEntries(about), { script }) === null;
}
