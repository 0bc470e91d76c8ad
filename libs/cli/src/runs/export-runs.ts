import type { Context } from '../context.js';
import { exportFormat } from '../output/export-format.js';
import { writeBody } from '../output/write-body.js';
import { STATUSES } from './list-runs.js';
import { filtersOf, type RunFilterOptions } from './run-filter-options.js';

/** All that fit, to standard output. */
export default async function exportRuns({
  options,
  gatehouse,
}: Context<RunFilterOptions & { format: string }>): Promise<void> {
  const query = { ...filtersOf(options, STATUSES), format: exportFormat(options.format) };
  await writeBody(await (await gatehouse()).runs.export(query));
}
