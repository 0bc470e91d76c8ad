import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import type { FileDto } from '../files/index.js';
import type { HeldRunDto } from '../runs/index.js';
import { packDirectory } from '../../libs/archive/index.js';
import type { ScriptDetailDto, ScriptVersionDto, ScriptVersionPage } from '../scripts/index.js';
import {
  EXAMPLE,
  EXAMPLE_FILE_FIELD,
  EXAMPLE_FOLDER,
  EXAMPLE_INPUT,
  EXAMPLE_VERSION,
} from './example-definition.js';
import type { FirstRunCredentials } from './first-run-file.js';
import { LoopbackApiClient } from './loopback-api-client.js';

/** How far the example came. */
export interface ExampleReport {
  /** The uploaded table. */
  file: FileDto | null;
  /** null where this process runs no scripts, or it did not come so far. */
  run: HeldRunDto | null;
  /** From asking for the run to the response. */
  tookMs: number;
  /** Why it did not come further. */
  problem: string | null;
}

/** The script that a new Gatehouse shows what it can do with. */
@Injectable()
export class ExampleScript {
  constructor(
    private readonly api: LoopbackApiClient,
    private readonly settings: Settings,
  ) {}

  /** Never fails: a Gatehouse whose example does not run is still one, and the report says what is wrong. */
  async show(credentials: FirstRunCredentials): Promise<ExampleReport> {
    const report: ExampleReport = { file: null, run: null, tookMs: 0, problem: null };
    try {
      await this.publish(credentials);
      report.file = await this.upload(credentials);
      if (!this.settings.runsScripts) return report;
      const askedAt = performance.now();
      report.run = await this.run(credentials, report.file);
      report.tookMs = performance.now() - askedAt;
    } catch (error) {
      report.problem = (error as Error).message;
    }
    return report;
  }

  /** Goes on where an earlier start was interrupted. */
  private async publish(as: FirstRunCredentials): Promise<void> {
    const path = `/v1/scripts/${EXAMPLE.slug}`;
    const script =
      (await this.api.call<ScriptDetailDto>(as, { method: 'GET', path })) ??
      (await this.api.call<ScriptDetailDto>(as, { method: 'POST', path: '/v1/scripts', json: EXAMPLE }));
    if (script!.status !== 'draft') return;
    const page = await this.api.call<ScriptVersionPage>(as, { method: 'GET', path: `${path}/versions` });
    const version = page!.items[0] ?? (await this.addVersion(as, path));
    await this.api.call(as, { method: 'POST', path: `${path}/publish`, json: { version: version.number } });
  }

  private async addVersion(as: FirstRunCredentials, path: string): Promise<ScriptVersionDto> {
    const packed = new PassThrough();
    const [archive, readme] = await Promise.all([
      buffer(packed),
      readFile(join(EXAMPLE_FOLDER, 'README.md'), 'utf8'),
      packDirectory(EXAMPLE_FOLDER, packed),
    ]);
    const json = { ...EXAMPLE_VERSION, readme, archive: archive.toString('base64') };
    const version = await this.api.call<ScriptVersionDto>(as, {
      method: 'POST',
      path: `${path}/versions`,
      json,
    });
    return version!;
  }

  private async upload(as: FirstRunCredentials): Promise<FileDto> {
    const bytes = { content: await readFile(EXAMPLE_INPUT), type: 'text/csv' };
    const path = `/v1/files?name=${basename(EXAMPLE_INPUT)}`;
    return (await this.api.call<FileDto>(as, { method: 'POST', path, bytes }))!;
  }

  private async run(as: FirstRunCredentials, file: FileDto): Promise<HeldRunDto> {
    const json = { inputs: { [EXAMPLE_FILE_FIELD]: file.id } };
    const path = `/v1/scripts/${EXAMPLE.slug}/runs`;
    return (await this.api.call<HeldRunDto>(as, { method: 'POST', path, json }))!;
  }
}
