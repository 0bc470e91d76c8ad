import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Whether the data directory can be written to, or made.
 *
 * @throws Error in a sentence for the operator
 */
export async function assertWritable(dataDirectory: string): Promise<void> {
  if (await isWritable(dataDirectory)) return;
  throw new Error(
    `User ${process.getuid!()} may not write to ${dataDirectory} (GATEHOUSE_DATA). Give it to the user of the service (chown), mount it for writing, or set GATEHOUSE_DATA to another directory.`,
  );
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) return false;
    return isWritable(dirname(path));
  }
}
