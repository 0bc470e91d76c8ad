import { WrongUse } from '../failure/command-failure.js';

const FORMATS = ['ndjson', 'csv'] as const;

/** What `--format` of an export says. */
export function exportFormat(given: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((known) => known === given);
  if (!format) throw new WrongUse(`"${given}" is no format.`, `There are: ${FORMATS.join(', ')}`);
  return format;
}
