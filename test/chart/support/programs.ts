import { isInstalled } from '../../support/is-installed.js';

/**
 * Whether the chart can be rendered and validated here. Where it cannot, these tests are left out, unless
 * GATEHOUSE_FORBID_SKIPS is 1.
 */
export function canRenderCharts(): boolean {
  const missing = ['helm', 'kubeconform'].filter((name) => !isInstalled(name));
  if (missing.length === 0) return true;
  const why = `without ${missing.join(', ')}; 'bash .ci/chart-tools' compiles them, and prints the folder for the PATH`;
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') throw new Error(`The chart is not tested: ${why}`);
  console.log(`The chart is not tested (${why}).`);
  return false;
}
