/** Seconds until the next attempt, after each that failed: enough for a server that is away for an hour. */
const WAITS = [5, 60, 300, 900, 2700];

/** After so many attempts a mail is given up. */
export const MAIL_ATTEMPTS = WAITS.length + 1;

interface SendError {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  message?: unknown;
}

/** Seconds to wait after the attempt of that number (from 1) failed, or null: it is given up. */
export function secondsUntilRetry(attempt: number, error: unknown): number | null {
  return isRefused(error) ? null : (WAITS[attempt - 1] ?? null);
}

/** Whether the server refuses this recipient or this mail for good. All else may work later, or once it is repaired. */
function isRefused(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isAboutThisMail && typeof responseCode === 'number' && responseCode >= 500;
}

/** For the log. The server's response is left out: it may quote the mail or name the recipient. */
export function reasonOf(error: unknown): string {
  const { code, command, responseCode, message } = error as SendError;
  if (typeof responseCode === 'number') {
    return `the server replied ${responseCode}${typeof command === 'string' ? ` to ${command}` : ''}`;
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return String(code);
  return typeof message === 'string' ? message : String(error);
}
