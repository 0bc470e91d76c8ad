// The gate's process. It is started by `gate-starter` and reads what hostile code sends: TLS, HTTP and DNS.
import { writeSync } from 'node:fs';
import type { SocketHandle } from './gate-child.js';
import { OpenGates } from './open-gates.js';
import { ReportWriter } from './report-writer.js';
import type { Order } from './protocol.js';

becomeNobody(Number(process.argv[2]));

// Of an error only the words: what else it holds may be a script's or a host's bytes.
process.on('uncaughtException', (error: unknown) => {
  try {
    writeSync(process.stderr.fd, `${error instanceof Error ? error.stack : String(error)}\n`);
  } finally {
    process.exit(70);
  }
});
// A terminal and a service manager tell every process to end. The worker says when.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

const reports = new ReportWriter();
const gates = new OpenGates((report) => reports.tell(report));
process.on('message', (order: Order, handle?: unknown) =>
  gates.obey(order, handle as SocketHandle | undefined),
);

/** Whoever started us could read our program; from here on nothing but the public files of this machine can be read. */
function becomeNobody(user: number): void {
  if (user === 0) return;
  process.setgroups!([]);
  process.setgid!(user);
  process.setuid!(user);
  if (process.getuid!() !== user) throw new Error('the gate could not become another user');
}
