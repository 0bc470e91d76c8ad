import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.js';
import { bash, openSandbox, python, runToEnd } from './test/in-box.js';

const node = (script: string): string[] => ['node', '-e', script];

describe('what programs do every day, in a box', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  it.each([
    [
      'Python’s event loop with sockets, subprocesses and signals',
      python(`
import asyncio, signal
async def main():
    async def serve(reader, writer): writer.write(await reader.readline()); await writer.drain(); writer.close()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"echo\\n"); print((await reader.read()).decode().strip())
    child = await asyncio.create_subprocess_exec("cat", stdin=-1, stdout=-1)
    print((await child.communicate(b"piped"))[0].decode())
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, lambda: print("signal"))
    signal.raise_signal(signal.SIGUSR1); await asyncio.sleep(0)
asyncio.run(main())
`),
      'echo\npiped\nsignal\n',
    ],
    [
      'Python’s processes with locks, pools and shared memory',
      python(`
import multiprocessing as m
from multiprocessing import shared_memory
def square(n): return n * n
with m.Pool(3) as pool: print(pool.map(square, range(4)))
block = shared_memory.SharedMemory(create=True, size=4096); block.buf[0] = 7; print(block.buf[0]); block.close(); block.unlink()
`),
      '[0, 1, 4, 9]\n7\n',
    ],
    [
      'a database that two processes write to',
      python(`
import os, sqlite3
def add():
    database = sqlite3.connect("/tmp/d", timeout=10)
    for n in range(50):
        with database: database.execute("insert into t values (?)", (n,))
    database.close()
with sqlite3.connect("/tmp/d") as d: d.execute("pragma journal_mode=wal"); d.execute("create table t (n)")
d.close()
if os.fork() == 0: add(); os._exit(0)
add(); os.wait()
print(sqlite3.connect("/tmp/d").execute("select count(*) from t").fetchone()[0])
`),
      '100\n',
    ],
    [
      'the addresses of the machine, in Python',
      python(
        'import socket; print(socket.if_nameindex(), socket.if_nametoindex("lo"), socket.if_indextoname(1))',
      ),
      "[(1, 'lo')] 1 lo\n",
    ],
    [
      'the addresses of the machine, in Node',
      node(
        'console.log(Object.entries(require("os").networkInterfaces()).map(([name, all]) => name + " " + all[0].cidr + " " + all[0].internal).join())',
      ),
      'lo 127.0.0.1/8 true\n',
    ],
    [
      'Node’s servers, children and threads',
      node(`
const http = require("http"), { Worker } = require("worker_threads"), { exec } = require("child_process");
const server = http.createServer((request, response) => response.end(request.url)).listen(0, "127.0.0.1", () => {
  const agent = new http.Agent({ keepAlive: true });
  http.get({ port: server.address().port, path: "/path", agent }, (response) => response.on("data", (data) => {
    console.log(String(data));
    agent.destroy(); server.close();
    new Worker("require('worker_threads').parentPort.postMessage('thread')", { eval: true }).on("message", (text) => {
      console.log(text);
      exec("echo child", (_, out) => process.stdout.write(out));
    });
  }));
});
`),
      '/path\nthread\nchild\n',
    ],
    [
      'a watch in Node, which says that there is none, and one that looks again and again',
      node(`
const fs = require("fs");
try { fs.watch("/tmp"); } catch (error) { console.log(error.message); }
fs.writeFileSync("/tmp/f", "1");
const again = setInterval(() => fs.appendFileSync("/tmp/f", "2"), 50);
fs.watchFile("/tmp/f", { interval: 20 }, () => { console.log("changed"); fs.unwatchFile("/tmp/f"); clearInterval(again); });
`),
      "ENOSYS: function not implemented, watch '/tmp'\nchanged\n",
    ],
    [
      'git, with a lock on a file beside it',
      bash(
        'cd /tmp && git init -q r && cd r && echo a > a && git add a && git -c user.name=a -c user.email=a@b commit -qm first && git log --format=%s && flock lock echo locked && cp --reflink=auto a b && sync b && cat b',
      ),
      'first\nlocked\na\n',
    ],
    [
      'copies and archives with all that a file has',
      bash(
        "cd /tmp && echo a > a && cp -a a b && install -m 600 b c && tar -cf t c && mkdir d && tar -xf t -C d && python3 -c \"import shutil; shutil.copy2('d/c', 'e')\" && cat e",
      ),
      'a\n',
    ],
    [
      'Perl',
      [
        'perl',
        '-e',
        'use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0) or die; print join(",", map { $_ * 2 } 1..3), "\\n"',
      ],
      '2,4,6\n',
    ],
  ])('works: %s', async (_, argv, expected) => {
    const { stdout, stderr } = await runToEnd(sandbox, { argv });
    expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
  });
});
