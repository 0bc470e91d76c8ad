import type { ScriptStats } from '@gatehouse/client/operations';

import { counted } from '../../kit/counted.js';

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `98 % of 41 runs`; nothing is said of what never ended. */
export function SuccessRate({ stats: { successRate, runs30d } }: { stats: ScriptStats }) {
  if (successRate === null) {
    return <span className="dimmed">{runs30d === 0 ? 'no runs' : counted(runs30d, 'run')}</span>;
  }
  return (
    <span>
      {percent.format(successRate)} <span className="dimmed">of {counted(runs30d, 'run')}</span>
    </span>
  );
}
