import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import type { CliCommandList } from './cli-command.dto.js';
import { cliCommandView } from './cli-command.view.js';
import { CliCommands } from './cli-commands.js';

@ApiTags('Workspace')
@Controller('v1/workspace/cli-commands')
export class CliCommandsController {
  constructor(private readonly commands: CliCommands) {}

  /**
   * List the commands that extensions add to the command line
   * @remarks Those whose routes are open to the caller's role, whatever scopes the credential has.
   */
  @Get()
  @Access({ role: 'guest', reach: 'shared' })
  list(@InWorkspace() caller: WorkspaceCaller): CliCommandList {
    return { items: this.commands.for(caller).map(cliCommandView) };
  }
}
