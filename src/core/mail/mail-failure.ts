interface SendError {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
  message?: unknown;
}

/** Whether the server refuses this recipient or this mail for good. All else may work later, or once it is repaired. */
export function isRefused(error: unknown): boolean {
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
