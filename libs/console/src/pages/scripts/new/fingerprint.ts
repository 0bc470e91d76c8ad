import type { DraftFile } from './draft.js';

/**
 * A short name for the content of a draft: when it is the same as before, nothing has changed. It guards nothing, so a fast
 * hash will do, and it works on pages without HTTPS, where the browser's own digests are not offered.
 */
export function fingerprintOf(files: DraftFile[], settings: unknown): string {
  const hash = new Hash();
  hash.add(JSON.stringify(settings));
  for (const { path, content, executable } of files) {
    hash.add(`${path}\u0000${executable ? 'x' : '-'}\u0000${content.length}\u0000${typeof content}\u0000`);
    hash.add(content);
  }
  return hash.text();
}

/** FNV-1a twice, from two beginnings: 64 bits together. */
class Hash {
  private one = 0x811c9dc5;
  private other = 0x2f1b8a6d;

  add(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    for (const byte of bytes) {
      this.one = Math.imul(this.one ^ byte, 0x01000193);
      this.other = Math.imul(this.other ^ byte, 0x85ebca6b) ^ (this.other >>> 15);
    }
  }

  text(): string {
    return [this.one, this.other].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
