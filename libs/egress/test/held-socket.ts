import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SocketHandle } from '../gate-process/gate-child.js';

const PROGRAM = `
const net = require('node:net');
const dgram = require('node:dgram');
const dns = process.argv[2] === 'dns';
const give = (socket, port) => process.send({ port }, socket, () => process.exit());
if (dns) {
  const socket = dgram.createSocket('udp4');
  socket.bind(0, '127.0.0.1', () => {
    const [state] = Object.getOwnPropertySymbols(socket).filter(({ description }) => description === 'state symbol');
    give(socket[state].handle, socket.address().port);
  });
} else {
  const server = net.createServer();
  server.listen(0, '127.0.0.1', () => give(server._handle, server.address().port));
}
`;

/** A listening TCP socket, or a bound UDP one, as the sandbox gives them: this process holds it and does not read it. */
export function heldSocket(kind: 'tcp' | 'dns' = 'tcp'): Promise<{ handle: SocketHandle; port: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'held-socket-'));
  const program = join(directory, 'program.cjs');
  writeFileSync(program, PROGRAM);
  const child = fork(program, [kind], { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (message, handle: unknown) => {
      rmSync(directory, { recursive: true });
      resolve({ handle: handle as SocketHandle, port: (message as { port: number }).port });
    });
  });
}
