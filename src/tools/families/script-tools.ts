import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';

import { READ_SCRIPTS, ScriptListQuery, ScriptsService } from '../../scripts/index.js';
import { type FixedTool, fixedTool } from '../fixed-tool.js';
import { jsonResult } from '../tool-results.js';
import { PAGE } from './page-arguments.js';

class ScriptArguments {
  @IsString()
  script: string;
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

  constructor(private readonly scripts: ScriptsService) {}
}
