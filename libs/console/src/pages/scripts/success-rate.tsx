import { counted } from '../../kit/counted.js';
import { LOCALE } from '../../kit/locale.js';

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

interface SuccessRateProps {
  /** Of those that succeeded or failed; null: none did. */
  rate: number | null;
  /** All of them, also those that were cancelled. */
  runs: number;
}

/** `98% of 41 runs`; only how many there are where none has succeeded or failed. */
export function SuccessRate({ rate, runs }: SuccessRateProps) {
  if (rate === null) {
    return <span className="dimmed">{runs === 0 ? 'no runs' : counted(runs, 'run')}</span>;
  }
  return (
    <span>
      {shareText(rate)} <span className="dimmed">of {counted(runs, 'run')}</span>
    </span>
  );
}

/** All or none only where that is so. */
function shareText(share: number): string {
  if (share === 0 || share === 1) return percent.format(share);
  return percent.format(Math.min(0.999, Math.max(0.001, share)));
}
