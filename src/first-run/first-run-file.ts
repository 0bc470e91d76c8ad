import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { syncDirectory, writePrivately } from '../core/database/embedded/index.js';

const NAME = 'first-run.json';
/** What it is called until everything that it speaks of is there. */
const DRAFT_NAME = 'first-run.draft.json';

/** What the first start made: where to go and how to get in. */
export interface FirstRunCredentials {
  baseUrl: string;
  email: string;
  password: string;
  /** The slug. */
  workspace: string;
  personalAccessToken: string;
  apiKey: string;
}

/** The credentials of the first start, in the data directory, for the eyes of its owner only. */
@Injectable()
export class FirstRunFile {
  readonly path: string;
  private readonly draft: string;

  constructor(private readonly settings: Settings) {
    this.path = join(settings.dataDirectory, NAME);
    this.draft = join(settings.dataDirectory, DRAFT_NAME);
  }

  read(): Promise<FirstRunCredentials | null> {
    return readCredentials(this.path);
  }

  readDraft(): Promise<FirstRunCredentials | null> {
    return readCredentials(this.draft);
  }

  async writeDraft(credentials: FirstRunCredentials): Promise<void> {
    await mkdir(this.settings.dataDirectory, { recursive: true, mode: 0o700 });
    await writePrivately(this.draft, `${JSON.stringify(credentials, null, 2)}\n`);
  }

  async discardDraft(): Promise<void> {
    await rm(this.draft, { force: true });
  }

  /** The draft becomes the file. */
  async complete(): Promise<void> {
    await rename(this.draft, this.path);
    await syncDirectory(this.settings.dataDirectory);
  }

  /** The address may have changed since; whoever reads the file wants the present one. */
  async follow(baseUrl: string): Promise<void> {
    const credentials = await this.read();
    if (!credentials || credentials.baseUrl === baseUrl) return;
    await writePrivately(this.path, `${JSON.stringify({ ...credentials, baseUrl }, null, 2)}\n`);
  }
}

async function readCredentials(path: string): Promise<FirstRunCredentials | null> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof content === 'object' && content !== null && 'personalAccessToken' in content
      ? (content as FirstRunCredentials)
      : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}
