import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

/** As much of a first line as the kernel reads. */
const SHEBANG_BYTES = 256;
const NOT_FOUND = /no such file|not found|bad interpreter|ENOENT|can't execute|not be executed|use -\[v\]S/i;
/** Some show the character itself in the interpreter's name; `env` takes it for a blank. */
const SHOWN = /\\r|\^M|\r|use -\[v\]S/;
const MAX_WORDS = 50;

/**
 * Why a program could not be started whose first line ends as on Windows: the kernel takes the carriage return for a part of the
 * interpreter's name, and says of the script that there is no such file.
 *
 * @param line what the box or standard error says about the failure
 * @param program the command's own program
 * @param app the folder of the version
 * @returns null: this is not why
 */
export async function describeCrlfStart(line: string, program: string, app: string): Promise<string | null> {
  if (!NOT_FOUND.test(line)) return null;
  const named = line.split(/[\s:'"‘’]+/).slice(0, MAX_WORDS);
  for (const word of SHOWN.test(line) ? [program, ...named] : named) {
    const file = resolve(app, word.replace(/^\/app\//, ''));
    if (file.startsWith(join(app, '/')) && (await hasCrlfShebang(file)))
      return `the first line of ${relative(app, file)} ends with a carriage return, so its interpreter is not found; save it with LF line ends`;
  }
  return null;
}

async function hasCrlfShebang(path: string): Promise<boolean> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) return false;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHEBANG_BYTES), 0, SHEBANG_BYTES, 0);
    return /^#![^\n]*\r\n/.test(buffer.toString('latin1', 0, bytesRead));
  } catch {
    return false;
  }
}
