import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const FRESH_MS = 5000;

/** The names that the machine's own file gives addresses to. The DNS library below does not look there. */
export class HostsFile {
  private entries = new Map<string, string[]>();
  private readAt = -Infinity;

  constructor(private readonly path = '/etc/hosts') {}

  /** @returns the name's addresses in the file, none when it is not there */
  async addresses(name: string): Promise<string[]> {
    if (performance.now() - this.readAt > FRESH_MS) {
      this.readAt = performance.now();
      this.entries = parseHostsFile(await readFile(this.path, 'utf8').catch(() => ''));
    }
    return this.entries.get(name) ?? [];
  }
}

/** @returns addresses by lower-case name */
export function parseHostsFile(text: string): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      entries.set(key, [...(entries.get(key) ?? []), address]);
    }
  }
  return entries;
}
