import type { Context } from '../context.js';
import { exportFormat } from '../output/export-format.js';
import { writeBody } from '../output/write-body.js';
import { filtersOf, type RunFilterOptions } from './list-runs.js';

/** All that fit, to standard output. */
export default async function exportRuns({
  options,
  gatehouse,
}: Context<RunFilterOptions & { format: string }>): Promise<void> {
  const query = { ...filtersOf(options), format: exportFormat(options.format) };
  await writeBody(await (await gatehouse()).runs.export(query));
}
