import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Settings } from '../../core/config/index.js';

/** Of a file with a credential: longer ones are none. */
const MOST_BYTES = 65_536;
const SECRET_NAME = /(KEY|KEY_ID|SECRET|SECRET_ID|TOKEN|PASSWORD|HEADERS|CREDENTIALS?)$/i;

/** What no script may find: credentials of the environment and of the files that it names, and what the data directory keeps in plain text. */
export async function secretsOf(
  { dataDirectory }: Pick<Settings, 'dataDirectory'>,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const read = (name: string): Promise<string> => readFile(join(dataDirectory, name), 'utf8').catch(() => '');
  const kept = [await read('master.key'), ...credentialsOf(await read('first-run.json'))];
  return [...secretsAmong(environment), ...(await filesOf(environment)), ...kept].filter(
    (secret) => secret !== '',
  );
}

/** What is in the files that variables name in place of a credential, such as `GATEHOUSE_VAULT_TOKEN_FILE`. */
function filesOf(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const paths = Object.entries(environment).flatMap(([name, path]) =>
    path !== undefined && name.endsWith('_FILE') && SECRET_NAME.test(name.slice(0, -'_FILE'.length))
      ? [path]
      : [],
  );
  return Promise.all(paths.map(beginningOf));
}

/** Nothing of one that cannot be read: then there is nothing of it here to be found. */
async function beginningOf(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, null);
      return buffer.toString('utf8', 0, bytesRead).trim();
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/** By the names of variables, and the passwords of addresses. */
function secretsAmong(values: Record<string, unknown>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    if (SECRET_NAME.test(name)) return [value];
    return URL.canParse(value) ? [new URL(value).password] : [];
  });
}

function credentialsOf(json: string): string[] {
  try {
    return secretsAmong(JSON.parse(json) as Record<string, unknown>);
  } catch {
    return [];
  }
}
