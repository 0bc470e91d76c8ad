import { createTransport } from 'nodemailer';

/** How many mails are sent at once. */
export const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/**
 * Connections to the mail server, reused for a while. A password goes to another machine only through TLS, unless the
 * address says `?requireTLS=false`: somebody in between could otherwise suppress the server's offer of TLS.
 */
export function smtpTransport(url: string) {
  const { username, hostname } = new URL(url);
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    url,
    requireTLS: username !== '' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Retries are decided by mail-retries.ts.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export type SmtpTransport = ReturnType<typeof smtpTransport>;
