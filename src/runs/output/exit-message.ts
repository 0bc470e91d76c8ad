import { cutToBytes } from './storable-text.js';

const MAX_ERROR_BYTES = 1000;

/** The ways in which a program ends without success. */
type Ending =
  | { kind: 'exit'; code: number; lastError: string | null }
  | { kind: 'signal'; signal: string; lastError: string | null }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'memory'; limitBytes: number };

/** The `error` of a run whose program ended in this way. */
export function exitMessage(ending: Ending): string {
  switch (ending.kind) {
    case 'exit':
      return withLine(`exit code ${ending.code}`, ending.lastError);
    case 'signal':
      return withLine(`killed by ${ending.signal}`, ending.lastError);
    case 'timeout':
      return `timed out after ${ending.seconds} s`;
    case 'memory':
      return `ran out of memory (${Math.round(ending.limitBytes / 1024 / 1024)} MiB)`;
  }
}

function withLine(what: string, line: string | null): string {
  if (line === null) return what;
  const cut = cutToBytes(line, MAX_ERROR_BYTES);
  return `${what}: ${cut}${cut === line ? '' : '…'}`;
}
