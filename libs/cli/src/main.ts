import { mayBeOfExtension } from './extensions/first-word.js';
import { programOf } from './program.js';
import { EXIT } from './failure/exit-codes.js';
import { reportFailure } from './failure/report-failure.js';

/** Carries out a command line. Gives the code to exit with. */
export async function main(args: string[], version: string): Promise<number> {
  process.stdout.on('error', endOfOutput);
  process.stderr.on('error', endOfOutput);
  try {
    const program = programOf(version);
    if (mayBeOfExtension(program, args)) {
      const { addExtensionCommands } = await import('./extensions/add-extension-commands.js');
      await addExtensionCommands(program, args);
    }
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return reportFailure(error);
  }
}

/** Whoever reads may have read enough, as `head` does; all else, such as a full disk, is a failure. */
function endOfOutput(error: NodeJS.ErrnoException): never {
  process.exit(error.code === 'EPIPE' ? EXIT.done : reportFailure(error));
}
