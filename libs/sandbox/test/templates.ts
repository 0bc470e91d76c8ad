import { readdirSync } from 'node:fs';

import { afterEach } from 'vitest';

import type { Sandbox } from '../sandbox.js';
import type { SandboxOptions } from '../sandbox-options.js';
import { appDirectory, openSandbox, type runToEnd } from './in-box.js';
import { about, isOurs } from './processes-that-stay.js';

export const ENVIRONMENT = { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: '/app/.deps' };

const opened: Sandbox[] = [];
const apps: { remove: () => void }[] = [];

/** What is made by the others ends with each test. */
export function endWithEachTest(): void {
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
    apps.splice(0).forEach((app) => app.remove());
  });
}

/** A sandbox that makes a template for whatever has run once. */
export async function open(templates: SandboxOptions['templates'] = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ maxSlots: 2, templates: { enough: 1, ...(templates as object) } });
  opened.push(sandbox);
  return sandbox;
}

export function app(source: string, files: Record<string, string> = {}): string {
  const made = appDirectory({ 'main.py': source, ...files });
  apps.push(made);
  return made.path;
}

export const spec = (path: string, template = path): Parameters<typeof runToEnd>[1] => ({
  argv: ['python3', 'main.py'],
  app: path,
  env: ENVIRONMENT,
  template,
});

/** Ids in their box: what has imported, and what it has forked for its run. */
export const [TEMPLATE, RUN] = [3, 4];

/** Of this process's boxes, those with an id in their box: what templates consist of. The ids on this machine. */
export function processesOfTemplates(inBox: number): number[] {
  return readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id) && new RegExp(`^NSpid:.*\t${inBox}$`, 'm').test(about(id, 'status')))
    .map(Number)
    .filter(isOurs);
}

/**
 * An app whose module is the template in place of the real one, and does as it likes: while it is imported (`first`), from its second
 * fork on, and in what it has forked for its run number `forks`, which becomes no program and says with its exit code what it has found.
 */
export function imitation({
  first = '',
  flags = 'COPIES',
  wait = 'WAIT',
  meeting = 'door = meet()\ndoor.recv(1)',
  child = '',
  hides = true,
} = {}): string {
  return app('import module\n', {
    '.deps/module.py': `
import ctypes, fcntl, os, signal, socket, struct, sys, time
call = ctypes.CDLL(None).syscall
prctl = ctypes.CDLL(None).prctl
getrusage = ctypes.CDLL(None).getrusage
word = ctypes.c_int()
ask = ctypes.CDLL(None).mmap
ask.restype = ctypes.c_void_p
room = ask(None, ctypes.c_size_t(300 << 20), 3, 0x22, -1, 0)
COPIES = 0x1200000 | signal.SIGCHLD
def meet():
    door = socket.socket(socket.AF_UNIX)
    door.connect("\\0door")
    return door
def serve():
    call(56, COPIES, 0, 0, 0, 0) and time.sleep(99)
    forks = 0
    while True:
        forks += 1
        if call(56, ${flags} if forks == 2 else COPIES, 0, 0, 0, 0) == 0:
            ${meeting.replaceAll('\n', '\n            ')}
            ${child.replaceAll('\n', '\n            ')}
            os._exit(0)
        if forks == 1:
            ${wait.replace('WAIT', 'call(61, -1, 0, 0, 0)')}
        else:
            call(61, -1, 0, 0, 0)
with open("/proc/self/environ") as file:
    is_run = "SANDBOX_TEMPLATE" not in file.read()
if not is_run:
    ${first.replaceAll('\n', '\n    ')}
    door = meet()
    ${hides ? 'prctl(4, 0)' : ''}
    door.send(b"r"), door.recv(1)
    os.dup2(0, 1), os.dup2(0, 2)
    door.close()
    serve()
`,
  });
}
