import net from 'node:net';
import { cutText } from '../../cut-text/index.js';
import { MOST_LINE_CHARACTERS, type Report, REPORTS_FD } from './protocol.js';

const MOST_WAITING_BYTES = 8_388_608;

/** Of these there may be any number. */
const MAY_BE_LOST = new Set<Report['type']>(['log', 'usage', 'request', 'withheld']);

/** Tells the worker, as fast as it listens. */
export class ReportWriter {
  private readonly pipe = new net.Socket({ fd: REPORTS_FD, readable: false, writable: true });

  constructor() {
    // The worker is gone, so this process has nothing left to do.
    this.pipe.on('error', () => process.exit(0));
  }

  tell(report: Report): void {
    if (MAY_BE_LOST.has(report.type) && this.pipe.writableLength > MOST_WAITING_BYTES) return;
    const short = report.type === 'log' ? { ...report, line: shortened(report.line) } : report;
    this.pipe.write(`${JSON.stringify(short)}\n`);
  }
}

function shortened(line: string): string {
  return cutText(line, MOST_LINE_CHARACTERS, '…');
}
