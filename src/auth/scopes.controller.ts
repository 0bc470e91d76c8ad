import { Controller, Get } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';

import { Access, SCOPES } from '../core/access/index.js';

export class ScopeListDto {
  @ApiProperty({ enum: SCOPES, isArray: true })
  items: string[];
}

@ApiTags('Account')
@Controller('v1/account/scopes')
export class ScopesController {
  /**
   * List what a token or an app can be granted
   * @remarks All scopes, those of extensions included.
   */
  @Get()
  @Access('session')
  list(): ScopeListDto {
    return { items: [...SCOPES] };
  }
}
