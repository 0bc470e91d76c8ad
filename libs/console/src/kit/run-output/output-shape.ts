import { chartsOf } from './output-charts.js';
import { tablesOf } from './output-tables.js';
import { WrittenNumber } from './written-number.js';

export type OutputView = 'table' | 'chart' | 'markdown' | 'tree' | 'text';

/** Characters; more is shown as text. */
const MOST_MARKDOWN = 200_000;

/**
 * What an output is shown as first, and what else it can be shown as.
 *
 * @param asked what its script asks for: first, where the output can be shown so
 */
export function outputViews(output: unknown, asked: OutputView | null = null): OutputView[] {
  const views = fittingViews(output, asked);
  return asked !== null && views.includes(asked) ? [asked, ...views.filter((view) => view !== asked)] : views;
}

function fittingViews(output: unknown, asked: OutputView | null): OutputView[] {
  if (output instanceof WrittenNumber) return ['text'];
  const charts: OutputView[] = chartsOf(output).length > 0 ? ['chart'] : [];
  if (tablesOf(output).length > 0) return ['table', ...charts, 'tree', 'text'];
  // Numbers alone say little as a chart, unless somebody means them to.
  if (typeof output === 'object' && output !== null)
    return ['tree', ...(asked === 'chart' ? charts : []), 'text'];
  return asked === 'markdown' && typeof output === 'string' && output.length <= MOST_MARKDOWN
    ? ['markdown', 'text']
    : ['text'];
}

/** An output as it is copied: text as it is, anything else as JSON. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
