import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { appDirectory, openSandbox, python } from './test/in-box.js';
import { runServed } from './test/served.js';

/** Tries the ports, one after another. */
const TRY = (...ports: number[]): string => `
import socket
for port in ${JSON.stringify(ports)}:
    with socket.socket() as s: print(s.connect_ex(("api.example.com", port)))
`;

describe('ports of a box on which nothing listens', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ maxSlots: 1, warmInterpreters: { restMs: 0 } });
  });
  afterAll(() => sandbox.close());

  it('are told, with how often they were tried', async () => {
    const { stdout, refusedPorts } = await runServed(sandbox, { argv: python(TRY(5432, 443, 22, 5432)) });
    expect(stdout).toBe('111\n0\n111\n111\n');
    expect(refusedPorts).toEqual([
      { port: 5432, attempts: 2 },
      { port: 22, attempts: 1 },
    ]);
  });

  it('are told of an interpreter that was started before its run, and of no other run', async () => {
    const app = appDirectory({ 'main.py': TRY(6379) });
    const run = async (): Promise<boolean> => {
      const spec = { argv: ['python3', 'main.py'], app: app.path };
      const { refusedPorts, startedAhead } = await runServed(sandbox, spec);
      expect(refusedPorts).toEqual([{ port: 6379, attempts: 1 }]);
      return startedAhead;
    };
    await expect.poll(run).toBe(true);
    app.remove();
  });

  it('are told of late ones as well, when the first was tried for as long as the run takes', async () => {
    const { refusedPorts } = await runServed(sandbox, {
      argv: python(`
import socket, time
def attempt(port):
    with socket.socket() as s: s.connect_ex(("127.0.0.1", port))
for _ in range(5):
    for _ in range(30): attempt(5432)
    time.sleep(0.3)
attempt(3306)
`),
    });
    expect(refusedPorts.map(({ port }) => port)).toEqual([5432, 3306]);
    expect(refusedPorts[0]!.attempts).toBeGreaterThan(60);
  });

  it('are not those that were listened on, whoever reset the connection', async () => {
    const { stdout, refusedPorts } = await runServed(sandbox, {
      argv: python(`
import socket, struct
with socket.create_server(("127.0.0.1", 5000)) as server:
    client = socket.create_connection(("127.0.0.1", 5000))
    taken, _ = server.accept()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    taken.close()
    try: client.recv(1)
    except ConnectionResetError: print("reset")
`),
    });
    expect({ stdout, refusedPorts }).toEqual({ stdout: 'reset\n', refusedPorts: [] });
  });

  it('are few, however many a box tries at a time', async () => {
    const { code, refusedPorts } = await runServed(sandbox, {
      argv: python(`
import os, socket, time
for _ in range(3): os.fork()
until = time.monotonic() + 2
while time.monotonic() < until:
    for port in range(1024, 2024):
        with socket.socket() as s: s.connect_ex(("127.0.0.1", port))
`),
    });
    expect(code).toBe(0);
    expect(refusedPorts).toHaveLength(20);
  });
});
