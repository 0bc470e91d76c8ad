import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import type { GuidePage } from './render-guide.js';

/** `docs/guide`, of the source or of what was built of it: both lie as deep. */
const FOLDER = join(import.meta.dirname, '../../../docs/guide');
const INDEX = 'README.md';

/** The guide, in Markdown. Pages are read when they are requested: they are seldom needed. */
@Injectable()
export class GuidePages {
  /** @param slug a page's file name without `.md`; null: the first page, which lists the others */
  async find(slug: string | null): Promise<GuidePage | null> {
    const name = slug === null ? INDEX : `${slug}.md`;
    const names = await readdir(FOLDER);
    if (slug === 'README' || !names.includes(name)) return null;
    return { names, text: await readFile(join(FOLDER, name), 'utf8') };
  }
}
