import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';

import { refusalInWorkspace, type Scope, type WorkspaceCaller } from '../core/access/index.js';
import { NotFound, ProblemError } from '../core/errors/index.js';
import { stringifyJson } from '../core/json/index.js';
import { FilesService } from '../files/index.js';
import { RunLogService, RunsService } from '../runs/index.js';
import { parseResourceUri } from './resource-uri.js';

const MOST_BYTES = 1_048_576;
const LINES_AT_ONCE = 1_000;
const TEXTUAL = /^text\/|[/+](?:json|xml|yaml)$|^application\/(?:javascript|x-ndjson|sql)$/;

type ResourceContent = { mimeType: string } & ({ text: string } | { blob: Buffer });

/** What results link to, for those who may read it by the routes of the API. */
@Injectable()
export class ResourcesService {
  constructor(
    private readonly files: FilesService,
    private readonly runs: RunsService,
    private readonly log: RunLogService,
  ) {}

  /** What reading it needs to have been granted. */
  scopesOf(uri: string): readonly Scope[] {
    const scope = parseResourceUri(uri)?.type.rule.scope;
    return scope ? [scope] : [];
  }

  /** @throws ProblemError as the route that gives the same */
  async read(caller: WorkspaceCaller, uri: string): Promise<ResourceContent> {
    const named = parseResourceUri(uri);
    if (!named) throw new NotFound('resource');
    const { type, id } = named;
    const refusal = refusalInWorkspace(type.rule, caller);
    if (refusal) throw refusal;
    switch (type.kind) {
      case 'file':
        return this.file(caller, id);
      case 'output':
        return this.output(caller, id);
      case 'log':
        return { mimeType: 'text/plain', text: await this.wholeLog(caller, id) };
    }
  }

  private async file(caller: WorkspaceCaller, id: string): Promise<ResourceContent> {
    const { open, size, type } = await this.files.content(caller, id);
    if (size > MOST_BYTES) {
      throw new ProblemError(
        'payload_too_large',
        `The file has ${size} bytes; 1 MiB is the most here. GET /v1/files/${id}/content gives all of it, as does the \`downloadUrl\` in its run's \`files\`.`,
      );
    }
    const bytes = await buffer(await open());
    const text = TEXTUAL.test(type) ? decoded(bytes) : null;
    return text === null ? { mimeType: type, blob: bytes } : { mimeType: type, text };
  }

  private async output(caller: WorkspaceCaller, id: string): Promise<ResourceContent> {
    const { output, phase } = await this.runs.get(caller, id);
    if (phase !== 'finished') throw new NotFound('output: the run goes on');
    return { mimeType: 'application/json', text: output ? stringifyJson(output) : 'null' };
  }

  private async wholeLog(caller: WorkspaceCaller, id: string): Promise<string> {
    const lines: string[] = [];
    for (let bytes = 0, after = 0; ;) {
      const read = await this.log.numbered(caller, id, { after, limit: LINES_AT_ONCE });
      for (const { number, line } of read) {
        bytes += Buffer.byteLength(line) + 1;
        if (bytes > MOST_BYTES)
          return [...lines, `Cut: get_run_log with after ${after} gives the rest.`].join('\n');
        lines.push(line);
        after = number + 1;
      }
      if (read.length < LINES_AT_ONCE) return lines.join('\n');
    }
  }
}

/** null: it is not the text that its type says. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
