import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import type { Tool, ToolCallContext, ToolCaller, ToolChoice, ToolResult } from './tool.js';

/** The tools that an agent may use: the platform's own, and one for each published script that it may run. */
@Injectable()
export class ToolsService {
  /** The platform's own in the order of their tables, then those of scripts by slug. */
  list(_caller: WorkspaceCaller, _choice: ToolChoice = {}): Promise<Tool[]> {
    return Promise.resolve([]);
  }

  /** null where there is no such tool for that caller. */
  find(_caller: WorkspaceCaller, _name: string, _choice: ToolChoice = {}): Promise<Tool | null> {
    return Promise.resolve(null);
  }

  /** What the caller did wrong is a result with `isError`, never thrown. */
  call(
    _by: ToolCaller,
    name: string,
    _args: unknown,
    _context: ToolCallContext,
    _choice: ToolChoice = {},
  ): Promise<ToolResult> {
    const text = `not_found: There is no tool ${name}.`;
    return Promise.resolve({ text, links: [], isError: true, run: null });
  }
}
