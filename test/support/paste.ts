import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** For machines without curl: as much of it as printed commands, the README and the guide use. */
const CURL = `#!${process.execPath}
const words = process.argv.slice(2);
const headers = [];
let url, body, file, method;
const given = (word) => {
  if (!word.startsWith('@')) return word;
  return require('fs').readFileSync(word === '@-' ? 0 : word.slice(1), 'utf8');
};
for (let at = 0; at < words.length; at++) {
  if (words[at] === '-H') headers.push(words[++at].split(': '));
  else if (words[at] === '-d') body = given(words[++at]);
  else if (words[at] === '-o') file = words[++at];
  else if (words[at] === '-X') method = words[++at];
  else if (words[at] !== '-sS') url = words[at];
}
fetch(url, { headers, method: method ?? (body === undefined ? 'GET' : 'POST'), body })
  .then((response) => response.text())
  .then((text) => (file ? require('fs').writeFileSync(file, text) : process.stdout.write(text)));
`;

/** What a terminal shows after these lines were pasted into it, in that directory. */
export async function paste(
  lines: string,
  directory: string,
  variables: Record<string, string> = {},
): Promise<string> {
  await mkdir(join(directory, 'bin'), { recursive: true });
  await writeFile(join(directory, 'bin', 'curl'), CURL, { mode: 0o755 });
  const path = `${process.env['PATH']}:${join(directory, 'bin')}`;
  const env = { ...process.env, ...variables, PATH: path };
  const terminal = promisify(execFile)('bash', ['-e'], { cwd: directory, env, maxBuffer: 2 ** 24 });
  terminal.child.stdin!.end(lines);
  return (await terminal).stdout;
}

/** The `bash` blocks of a page, in order. */
export function commandsOf(page: string): string[] {
  return [...page.matchAll(/^```bash\n([^]*?)^```$/gm)].map(([, block]) => block!);
}
