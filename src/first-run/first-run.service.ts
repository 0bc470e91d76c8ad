import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { hashToken } from '../core/crypto/index.js';
import { ExampleScript } from './example-script.js';
import { type FirstRunCredentials, FirstRunFile } from './first-run-file.js';
import { FirstRunRepository } from './first-run.repository.js';
import { FirstOwnerCreator } from './first-owner-creator.js';
import { welcomeLine, welcomeText } from './welcome-text.js';

/**
 * Makes an empty database one that somebody can begin with, and shows it. Whenever the process dies on the way, the
 * next start goes on from there with the same credentials: a draft of the file is what an unfinished first start leaves.
 */
@Injectable()
export class FirstRunService {
  constructor(
    private readonly repository: FirstRunRepository,
    private readonly owner: FirstOwnerCreator,
    private readonly example: ExampleScript,
    private readonly file: FirstRunFile,
    private readonly settings: Settings,
  ) {}

  /** To be called once this process responds to requests, for it sends some to itself. */
  async ensure(): Promise<void> {
    const begun = (await this.repository.hasUsers()) && (await this.file.readDraft()) === null;
    const made = begun ? false : await this.repository.alone(() => this.makeUnlessMade());
    if (!made) await this.greetAgain();
  }

  private async makeUnlessMade(): Promise<boolean> {
    const credentials = await this.credentials();
    if (!credentials) return false;
    const report = await this.example.show(credentials);
    const welcome = { credentials, report, path: this.file.path, settings: this.settings };
    console.log(this.isSeenByPerson ? welcomeText(welcome) : welcomeLine(welcome));
    await this.file.complete();
    return true;
  }

  /** Whatever else the output is may be kept and read by others: credentials are not for it. */
  private get isSeenByPerson(): boolean {
    return process.stdout.isTTY && this.settings.logFormat === 'text';
  }

  /** null: another process, or an earlier start, has done it all. */
  private async credentials(): Promise<FirstRunCredentials | null> {
    if (!(await this.repository.hasUsers())) return this.owner.create();
    const draft = await this.file.readDraft();
    if (!draft) return null;
    if (!(await this.repository.hasApiKey(hashToken(draft.apiKey)))) {
      // The draft is of a first start that was rolled back, or of another database: its credentials open nothing.
      await this.file.discardDraft();
      return null;
    }
    const credentials = { ...draft, baseUrl: this.settings.baseUrl };
    await this.file.writeDraft(credentials);
    return credentials;
  }

  private async greetAgain(): Promise<void> {
    await this.file.follow(this.settings.baseUrl);
    const credentials = await this.file.read();
    console.log(`Every route is described at ${this.settings.baseUrl}/docs`);
    if (credentials) console.log(`The credentials of the first start are in ${this.file.path}`);
  }
}
