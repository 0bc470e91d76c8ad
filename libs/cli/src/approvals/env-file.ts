import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Puts a variable into a file of them, in place of what it had there. The file is for this user alone from then on.
 *
 * @throws Error where the name or value would be more than one line of such a file
 */
export async function setInEnvFile(path: string, name: string, value: string): Promise<void> {
  if (!NAME.test(name) || /[^\x21-\x7e]/.test(value)) {
    throw new Error('what the service sent is no variable');
  }
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  const others = before.split('\n').filter((line) => !line.startsWith(`${name}=`));
  while (others.at(-1) === '') others.pop();
  const part = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile([...others, `${name}=${value}`, ''].join('\n'));
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
