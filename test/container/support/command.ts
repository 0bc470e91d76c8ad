import { type SpawnOptions, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** What a program printed, and how it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, whatever that is. */
export async function run(
  program: string,
  args: readonly string[],
  options: SpawnOptions & { input?: NodeJS.ReadableStream } = {},
): Promise<Ended> {
  const { input, ...rest } = options;
  const child = spawn(program, args, { ...rest, stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
  // A program that does not want all of its input says so by its exit code.
  if (input) input.pipe(child.stdin!.on('error', () => undefined));
  const ended = new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
  return { code, stdout, stderr };
}

/** Runs a program that has to succeed. @returns its standard output. @throws with all that it printed. */
export async function succeed(...[program, args, options]: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${`${stdout}${stderr}`.slice(-8000)}`);
}
