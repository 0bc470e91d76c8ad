/** Seconds until the next try, after each that failed: a server that restarts, and one that is away for an hour. */
const WAITS = [5, 60, 300, 900, 2700];

/** After so many tries a mail is given up. */
export const MAIL_ATTEMPTS = WAITS.length + 1;

/** How an error of sending looks. */
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

/** The server wants neither this recipient nor this mail, now or later. Everything else may be mended by somebody. */
function isRefused(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isAboutThisMail && typeof responseCode === 'number' && responseCode >= 500;
}

/** For the log. A server's answer is not repeated: it may quote the mail, or name the recipient. */
export function reasonOf(error: unknown): string {
  const { code, command, responseCode, message } = error as SendError;
  if (typeof responseCode === 'number') {
    return `the server answered ${responseCode}${typeof command === 'string' ? ` to ${command}` : ''}`;
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return String(code);
  return typeof message === 'string' ? message : String(error);
}
