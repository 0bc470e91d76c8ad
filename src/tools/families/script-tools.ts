import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

import { START_RUNS } from '../../runs/index.js';
import {
  READ_SCRIPTS,
  ScriptCatalogService,
  ScriptListQuery,
  ScriptsService,
  viewerOf,
} from '../../scripts/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { scriptTool } from '../script-tool.js';
import { jsonResult } from '../tool-results.js';
import { PAGE } from './page-arguments.js';

class ScriptArguments {
  @IsString()
  script: string;
}

class FindArguments {
  @Length(1, 200)
  @IsString()
  q: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(20)
  limit: number = 10;
}

/** Looking at scripts. */
@Injectable()
export class ScriptTools {
  readonly tools: readonly FixedTool[] = [
    fixedTool({
      name: 'list_scripts',
      title: 'List scripts',
      description:
        'Lists the scripts of the workspace that you may see, newest first. `get_script` tells more of one, such as its inputs.',
      properties: {
        q: {
          type: 'string',
          description: 'Only scripts with this text in name, slug, description or a tag.',
        },
        tag: { type: 'string', description: 'Only scripts with this tag.' },
        status: { type: 'string', enum: ['draft', 'published', 'archived'] },
        ...PAGE,
      },
      takes: ScriptListQuery,
      rule: READ_SCRIPTS,
      effect: 'reads',
      run: async (caller, query) => {
        const { items, nextCursor } = await this.scripts.list(caller, query);
        const shown = items.map(({ slug, name, description, status, approvalPolicy, tags }) => ({
          slug,
          name,
          description,
          status,
          approvalPolicy,
          tags,
        }));
        return jsonResult({ items: shown, nextCursor }, 'Ask for fewer with `limit`, or by `q`.');
      },
    }),
    fixedTool({
      name: 'find_scripts',
      title: 'Find scripts to run',
      description:
        'Finds scripts that you may run, also those that are no tools of their own because there are too many. Each comes with the `inputSchema` that `run_script` wants.',
      properties: {
        q: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'A word in slug, name, description or tag.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 20, default: 10 },
      },
      required: ['q'],
      takes: FindArguments,
      rule: START_RUNS,
      effect: 'reads',
      run: async (caller, { q, limit }) => {
        const wanted = { after: null, most: limit, words: q };
        const { offers, hasMore } = await this.catalog.offersAfter(viewerOf(caller), wanted);
        const items = offers.map((offer) => {
          const { name, title, description, inputSchema } = scriptTool(offer, caller);
          return { script: name, name: title, description, inputSchema };
        });
        return jsonResult({ items, hasMore }, 'Ask for fewer with `limit`, or by other words.');
      },
    }),
    fixedTool({
      name: 'get_script',
      title: 'Read a script',
      description:
        'Tells of one script: what it is for, its inputs as a JSON Schema, its readme, and what uses it.',
      properties: { script: { type: 'string', description: "The script's slug." } },
      required: ['script'],
      takes: ScriptArguments,
      rule: READ_SCRIPTS,
      effect: 'reads',
      run: async (caller, { script }) =>
        jsonResult(await this.scripts.detail(caller, script), 'The rest is in the app.'),
    }),
  ];

  constructor(
    private readonly scripts: ScriptsService,
    private readonly catalog: ScriptCatalogService,
  ) {}
}
