import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access, InWorkspace, type WorkspaceCaller } from '../core/access/index.js';
import { SecretSourceListDto } from './secret.dto.js';
import { SecretsService } from './secrets.service.js';

@ApiTags('Secrets')
@Controller('v1/workspace/secret-sources')
export class SecretSourcesController {
  constructor(private readonly secrets: SecretsService) {}

  /**
   * List where values of secrets may be besides here
   * @remarks Such as Vault, by the operator's settings, or what an extension adds.
   */
  @Get()
  @Access({ scope: 'workspace.secrets:read', role: 'member', reach: 'own' })
  list(@InWorkspace() caller: WorkspaceCaller): SecretSourceListDto {
    return this.secrets.listSources(caller);
  }
}
