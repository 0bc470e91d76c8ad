import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** Puts a variable into a file of them, in place of what it had there. The file is for this user alone from then on. */
export async function setInEnvFile(path: string, name: string, value: string): Promise<void> {
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
  } finally {
    await file.close();
  }
  await rename(part, path);
}
