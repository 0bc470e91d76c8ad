import { programOf } from './program.js';
import { EXIT } from './failure/exit-codes.js';
import { reportFailure } from './failure/report-failure.js';

/** Carries out a command line. Gives the code to exit with. */
export async function main(args: string[], version: string): Promise<number> {
  // Whoever reads the output may have read enough, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
  try {
    await programOf(version).parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    return reportFailure(error);
  }
}
