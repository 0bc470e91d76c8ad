import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoxedProcess } from './box.js';
import type { Sandbox } from './sandbox.js';
import { appDirectory, bash, finish, openSandbox, python } from './test/in-box.js';

async function collect(box: BoxedProcess): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const file of box.outputs()) {
    const content = await text(file.open());
    expect(content.length).toBe(file.size);
    found[file.path] = content;
  }
  return found;
}

describe.each([false, true])('the files in /outputs (reduced: %s)', (forceReduced) => {
  let sandbox: Sandbox;
  const app = appDirectory();
  const boxes: BoxedProcess[] = [];
  const left = async (argv: string[]): Promise<Record<string, string>> => {
    const box = sandbox.run({ argv, env: {}, app: app.path, timeoutMs: 20_000 });
    boxes.push(box);
    expect(await finish(box)).toMatchObject({ code: 0, stderr: '' });
    return collect(box);
  };
  beforeAll(async () => {
    sandbox = await openSandbox({ forceReduced });
  });
  afterAll(async () => {
    await Promise.all(boxes.map((box) => box.dispose()));
    await sandbox.close();
    app.remove();
  });

  it('can be read after the run, in folders too', async () => {
    const script =
      'cd /outputs; echo one > a.txt; mkdir -p deep/er; echo two > deep/er/b.txt; : > empty; mkdir nothing';
    expect(await left(bash(script))).toEqual({ 'a.txt': 'one\n', 'deep/er/b.txt': 'two\n', empty: '' });
  });

  it('are regular files, each once: links, FIFOs and sockets are passed over', async () => {
    const script = `
import os, socket
os.chdir("/outputs")
open("plain", "w").write("plain")
open("twice", "w").write("twice"); os.link("twice", "again")
os.mkdir("deep"); os.link("twice", "deep/er")
os.symlink("/etc/passwd", "passwd"); os.symlink("plain", "self"); os.symlink("/etc", "etc"); os.symlink("..", "up")
os.mkfifo("fifo")
socket.socket(socket.AF_UNIX).bind("socket")
`;
    expect(await left(python(script))).toEqual({ plain: 'plain', again: 'twice' });
  });

  it('may have any name and any mode', async () => {
    const script = `
import os
os.chdir("/outputs")
for name in ["line\\nbreak", " ", "-rf", "\\"quoted\\"", "ünïcödé", "semi;colon"]: open(name, "w").write("x")
open(b"\\xff", "w").write("bytes")
open("setuid", "w").write("x"); os.chmod("setuid", 0o6777)
open("closed", "w").write("x"); os.chmod("closed", 0)
os.mkdir("dir"); open("dir/inner", "w").write("x"); os.chmod("dir", 0)
os.chmod("/outputs", 0o000)
`;
    const found = await left(python(script));
    expect(Object.keys(found).sort()).toEqual(
      [
        'line\nbreak',
        ' ',
        '-rf',
        '"quoted"',
        'ünïcödé',
        'semi;colon',
        '\ufffd',
        'setuid',
        'closed',
        'dir/inner',
      ].sort(),
    );
  });

  it('say so when they lie too deep', async () => {
    const script =
      'import os; os.chdir("/outputs")\nfor _ in range(30): os.mkdir("d" * 200); os.chdir("d" * 200)\nopen("f", "w").close()';
    await expect(left(python(script))).rejects.toThrow(/longer than 4000 bytes/);
  });

  it('say so when they are nested too deep', async () => {
    const script =
      'import os; os.chdir("/outputs")\nfor _ in range(300): os.mkdir("d"); os.chdir("d")\nopen("f", "w").close()';
    await expect(left(python(script))).rejects.toThrow(/deeper than 256 folders/);
  });

  it('are kept while the next run goes on, and gone after dispose', async () => {
    const box = sandbox.run({
      argv: bash('echo kept > /outputs/f'),
      env: {},
      app: app.path,
      timeoutMs: 9000,
    });
    await finish(box);
    await left(bash('echo other > /outputs/f'));
    expect(await collect(box)).toEqual({ f: 'kept\n' });
    await box.dispose();
    await expect(collect(box)).rejects.toThrow(/disposed/);
  });

  it('are there after a time-out, too', async () => {
    const box = sandbox.run({
      argv: bash('echo so far > /outputs/f; sleep 60'),
      env: {},
      app: app.path,
      timeoutMs: 2000,
    });
    boxes.push(box);
    expect(await finish(box)).toMatchObject({ timedOut: true });
    expect(await collect(box)).toEqual({ f: 'so far\n' });
  });
});
