import type { ScriptVersion } from '@gatehouse/client/operations';

/** What a version asks for, where that is not the usual. */
export function resourceLines(version: Pick<ScriptVersion, 'resources' | 'runsOn'>): string[] {
  const { resources, runsOn } = version;
  const place = runsOn.length > 0 ? [`runs on workers with ${runsOn.join(', ')}`] : [];
  if (resources === null) return place;
  const { memory, cpus, processes, tmp } = resources;
  return [
    `may use ${memory} MiB of memory, ${tmp} of them in /tmp`,
    ...(cpus === null ? [] : [`may use ${cpus === 1 ? 'one processor' : `the time of ${cpus} processors`}`]),
    `may have ${processes} processes and threads`,
    ...place,
  ];
}
