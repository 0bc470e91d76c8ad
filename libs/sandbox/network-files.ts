import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxNetwork, ReadOnlyBind } from './box.js';
import { TRUSTED_FILE } from './trust.js';

interface NetworkFiles {
  binds: ReadOnlyBind[];
  /** To be called when the box has ended. */
  remove(): void;
}

/** Writes the files that a box with a network has instead of those of all boxes. */
export class NetworkFileStore {
  /** Paths by content. A worker has one authority, so its file is written once. */
  private readonly authorities = new Map<string, string>();
  private count = 0;

  /** @param directory that belongs to the sandbox alone. */
  constructor(private readonly directory: string) {}

  write({ names, apart = [], caPem }: BoxNetwork): NetworkFiles {
    const own = ['localhost', 'sandbox'].filter((name) => !apart.some((other) => other.name === name));
    const lines = [
      `127.0.0.1 ${own.join(' ')}`,
      ...names.map((name) => `127.0.0.1 ${name}`),
      ...new Set(apart.map(({ address, name }) => `${address} ${name}`)),
    ];
    const hosts = this.writeFile('hosts', lines.map((line) => `${line}\n`).join(''));
    const authority = this.authorities.get(caPem) ?? this.writeFile('authority', caPem);
    this.authorities.set(caPem, authority);
    return {
      binds: [
        { source: hosts, target: '/etc/hosts' },
        { source: authority, target: TRUSTED_FILE },
      ],
      remove: () => rmSync(hosts, { force: true }),
    };
  }

  private writeFile(kind: string, content: string): string {
    const path = join(this.directory, `${kind}-${this.count++}`);
    writeFileSync(path, content, { mode: 0o644 });
    return path;
  }
}
