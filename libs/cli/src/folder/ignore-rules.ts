import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

import ignore, { type Ignore } from 'ignore';

import { WrongUse } from '../failure/command-failure.js';

const FILE = '.gitignore';
const MAX_BYTES = 256 * 1024;
/** Each more makes a pattern that does not fit slower to tell by the length of a name. */
const MAX_STARS = 3;
/** What comparing all names with all patterns may take; it is a second in large folders. */
const MAX_MS = 20_000;

/**
 * What Git would ignore, read from its files. Git itself is not asked: the folder may be a stranger's, and it would execute the
 * programs that the configuration of a repository in it names.
 */
export class IgnoreRules {
  /**
   * @param rules the innermost first, each with the folder that its patterns are relative to
   * @param spent what comparing has taken, in these and in all that are made of them
   */
  private constructor(
    private readonly rules: readonly { folder: string; patterns: Ignore }[] = [],
    private readonly spent = { ms: 0 },
  ) {}

  /** Those that hold in a folder: the person's own, and those of the folders above it in the same repository. */
  static async above(folder: string): Promise<IgnoreRules> {
    const above: string[] = [];
    for (let at = resolve(folder); dirname(at) !== at; at = dirname(at)) {
      if (await lstat(join(at, '.git')).catch(() => null)) {
        const excluded = join(await repositoryOf(at), 'info', 'exclude');
        let rules = await (await new IgnoreRules().with(at, await ownRules())).with(at, excluded);
        for (const below of above.reverse()) rules = await rules.in(dirname(below));
        return rules;
      }
      above.push(at);
    }
    return new IgnoreRules();
  }

  /** With those of a folder below, which count before the others. */
  in(folder: string): Promise<IgnoreRules> {
    return this.with(folder, join(folder, FILE));
  }

  /** @throws WrongUse where the patterns that there are take too long */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, patterns } of this.rules) {
      const began = performance.now();
      const { ignored, unignored } = patterns.test(relative(folder, path) + (isFolder ? '/' : ''));
      this.spent.ms += performance.now() - began;
      if (this.spent.ms > MAX_MS) throw new WrongUse(`${join(folder, FILE)}: its patterns take too long.`);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  private async with(folder: string, file: string): Promise<IgnoreRules> {
    const text = await patternsOf(file);
    if (text === null) return this;
    const patterns = ignore({ ignorecase: process.platform !== 'linux' }).add(text);
    return new IgnoreRules([{ folder, patterns }, ...this.rules], this.spent);
  }
}

/** @throws WrongUse where it has patterns that could take for ever */
async function patternsOf(file: string): Promise<string | null> {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) return null;
  if (found.size > MAX_BYTES) throw new WrongUse(`${file} is larger than ${MAX_BYTES / 1024} KiB.`);
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

/** Where the repository of a folder is. Of a worktree or submodule, `.git` is a file that says it, and the shared part of it. */
async function repositoryOf(folder: string): Promise<string> {
  const named = /^gitdir: (.+)/.exec(await smallText(join(folder, '.git')))?.[1];
  if (named === undefined) return join(folder, '.git');
  const own = resolve(folder, named);
  return resolve(own, (await smallText(join(own, 'commondir'))).trim());
}

async function smallText(file: string): Promise<string> {
  const found = await lstat(file).catch(() => null);
  return found?.isFile() && found.size <= MAX_BYTES ? readFile(file, 'utf8') : '';
}

/** Where Git looks for what this person ignores everywhere. */
async function ownRules(): Promise<string> {
  const folder = join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'git');
  for (const file of [join(homedir(), '.gitconfig'), join(folder, 'config')]) {
    const settings = await readFile(file, 'utf8').catch(() => '');
    const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(settings)?.[1];
    if (named !== undefined) return named.replace(/^~(?=\/)/, homedir());
  }
  return join(folder, 'ignore');
}
