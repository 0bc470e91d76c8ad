import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, NeedsStepUp, type WorkspaceCaller } from '../core/access/index.js';
import { PageQuery } from '../core/http/index.js';
import { SecretDeleteQuery, SecretDto, SecretInput, SecretPage, SecretSetDto } from './secret.dto.js';
import { SecretsService } from './secrets.service.js';

const NAME = {
  name: 'name',
  description: 'Letters, digits and underscores, at most 64, not beginning with a digit.',
  schema: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' },
} as const;

@ApiTags('Secrets')
@Controller('v1/workspace/secrets')
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  /**
   * List the secrets, newest first
   * @remarks Their values are never shown. A credential that is bound to an environment sees only the secrets that have a value there, and only that value's hosts.
   */
  @Get()
  @Access({ scope: 'workspace.secrets:read', role: 'member', reach: 'own' })
  list(@InWorkspace() caller: WorkspaceCaller, @Query() query: PageQuery): Promise<SecretPage> {
    return this.secrets.list(caller, query);
  }

  /** Get a secret, without its values */
  @Get(':name')
  @ApiParam(NAME)
  @Access({ scope: 'workspace.secrets:read', role: 'member', reach: 'own' })
  get(@InWorkspace() caller: WorkspaceCaller, @Param('name') name: string): Promise<SecretDto> {
    return this.secrets.get(caller, name);
  }

  /**
   * Set a secret's value in the acting environment
   * @remarks Makes the secret where there is none of that name; otherwise the value and its hosts are replaced, and runs that start from now on use them. Hosts cannot be changed without the value. Further hosts than the value had, or had when it was deleted, a source that was not named before, and `allowEnv` for a name that had it false take an owner or admin in person. Values are masked in logs, outputs and errors, but not in the files that a run writes.
   */
  @Put(':name')
  @ApiParam(NAME)
  @Access({ scope: 'workspace.secrets:write', role: 'member', reach: 'own' })
  @NeedsStepUp()
  set(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('name') name: string,
    @Body() input: SecretInput,
  ): Promise<SecretSetDto> {
    return this.secrets.set(caller, name, input);
  }

  /**
   * Delete a secret's value in the acting environment
   * @remarks The secret goes with its last value. `?allEnvironments=true` deletes all of its values, which a credential that is bound to an environment may not.
   */
  @Delete(':name')
  @HttpCode(204)
  @ApiParam(NAME)
  @Access({ scope: 'workspace.secrets:write', role: 'member', reach: 'own' })
  @NeedsStepUp()
  delete(
    @InWorkspace() caller: WorkspaceCaller,
    @Param('name') name: string,
    @Query() query: SecretDeleteQuery,
  ): Promise<void> {
    return this.secrets.delete(caller, name, query.allEnvironments === 'true');
  }
}
