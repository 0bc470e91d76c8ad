import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';

const PROGRAM = `
const [host, port] = process.argv.slice(1);
require('node:net').createServer().listen({ host, port: Number(port), backlog: 1 }, () => console.log('listening'));
`;
/** More than its queue holds. */
const FILLING = 8;

/** A listener that takes no connection: its process is stopped and its queue is full, so that the kernel drops what comes. */
export async function startUnresponsive(host: string, port: number): Promise<{ close(): void }> {
  const child = spawn(process.execPath, ['-e', PROGRAM, host, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const sockets = Array.from({ length: FILLING }, () =>
    net.connect({ host, port }).on('error', () => undefined),
  );
  await new Promise((done) => setTimeout(done, 200));
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
