import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

import ignore, { type Ignore } from 'ignore';

import { WrongUse } from '../failure/command-failure.js';

const FILE = '.gitignore';
const MAX_BYTES = 1024 * 1024;
/** Each more makes a pattern that does not fit slower to tell by the length of a name. */
const MAX_STARS = 3;

/**
 * What Git would ignore, read from its files. Git itself is not asked: the folder may be a stranger's, and it would execute the
 * programs that the configuration of a repository in it names.
 */
export class IgnoreRules {
  /** @param rules the innermost first, each with the folder that its patterns are relative to */
  private constructor(private readonly rules: readonly { folder: string; patterns: Ignore }[]) {}

  /** Those that hold in a folder: the person's own, and those of the folders above it in the same repository. */
  static async above(folder: string): Promise<IgnoreRules> {
    const above: string[] = [];
    for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) {
      if (await lstat(join(at, '.git')).catch(() => null)) {
        const [own, excluded] = [await ownRules(), join(at, '.git', 'info', 'exclude')];
        let rules = await (await new IgnoreRules([]).with(at, own)).with(at, excluded);
        for (const below of above.reverse()) rules = await rules.in(dirname(below));
        return rules;
      }
      above.push(at);
    }
    return new IgnoreRules([]);
  }

  /** With those of a folder below, which count before the others. */
  in(folder: string): Promise<IgnoreRules> {
    return this.with(folder, join(folder, FILE));
  }

  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, patterns } of this.rules) {
      const { ignored, unignored } = patterns.test(relative(folder, path) + (isFolder ? '/' : ''));
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  private async with(folder: string, file: string): Promise<IgnoreRules> {
    const text = await patternsOf(file);
    if (text === null) return this;
    const patterns = ignore({ ignorecase: process.platform !== 'linux' }).add(text);
    return new IgnoreRules([{ folder, patterns }, ...this.rules]);
  }
}

/** @throws WrongUse where it has patterns that could take for ever */
async function patternsOf(file: string): Promise<string | null> {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > MAX_BYTES) throw new WrongUse(`${file} is larger than a megabyte.`);
  const text = await readFile(file, 'utf8');
  const slow = text.split('\n').find((line) => !line.startsWith('#') && isSlow(line));
  if (slow === undefined) return text;
  throw new WrongUse(`${file}: "${slow.slice(0, 80)}" has too many stars: ${MAX_STARS} in one name at most.`);
}

function isSlow(pattern: string): boolean {
  const names = pattern.split('/');
  const folders = names.filter((name) => name === '**').length;
  return folders > MAX_STARS || names.some((name) => name.split(/\*+/).length - 1 > MAX_STARS);
}

/** Where Git looks for what this person ignores everywhere. */
async function ownRules(): Promise<string> {
  const settings = await readFile(join(homedir(), '.gitconfig'), 'utf8').catch(() => '');
  const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(settings)?.[1];
  if (named !== undefined) return named.replace(/^~(?=\/)/, homedir());
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'git', 'ignore');
}
