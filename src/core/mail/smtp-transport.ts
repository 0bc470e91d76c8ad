/** How many mails are sent at once. */
export const CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/**
 * Connections to the mail server, reused for a while. The client is loaded for the first mail: most starts need none. A
 * password goes to another machine only through TLS, unless the address says `?requireTLS=false`: somebody in between
 * could otherwise suppress the server's offer of TLS.
 */
export async function smtpTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  const { username, hostname } = new URL(url);
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    url,
    requireTLS: username !== '' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Retries are decided by the mailer.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // Of a connection that breaks while it is idle: the next mail opens another.
  transport.on('error', () => undefined);
  return transport;
}

export type SmtpTransport = Awaited<ReturnType<typeof smtpTransport>>;
