import { ApiProperty } from '@nestjs/swagger';

import { APP_SCOPES } from '../core/access/index.js';
import { PageOf } from '../core/http/index.js';
import { AgentBudgetDto, BudgetField } from '../usage/index.js';
import { WAYS_TO_BE_KNOWN, type WayToBeKnown } from './oauth-clients.js';

export class AppWorkspaceDto {
  slug: string;

  name: string;
}

export class ConnectedAppDto {
  id: string;

  /** What the app calls itself. */
  name: string;

  /** The host that describes it; null where nothing vouches for the name. */
  host: string | null;

  /** How the service knows it: by a document at its host, by having registered itself, by the operator, or as a part of the service. */
  @ApiProperty({ enum: WAYS_TO_BE_KNOWN })
  registered: WayToBeKnown;

  /** Where its consent was brought: a host, or `scheme:`. null for a device. */
  redirectHost: string | null;

  workspace: AppWorkspaceDto;

  /** The only environment in which it may act; null for all. */
  environment: string | null;

  @ApiProperty({ enum: APP_SCOPES, isArray: true })
  scopes: string[];

  /** How many scripts its person chose by name, and by which tags; both null where they gave it all. */
  @ApiProperty({ type: 'integer', nullable: true })
  scripts: number | null;

  @ApiProperty({ type: String, isArray: true, nullable: true })
  scriptTags: string[] | null;

  /** What may be used through it; null: no limit of its own. */
  budget: AgentBudgetDto | null;

  /** Within a quarter of a minute; null if never. */
  lastUsedAt: string | null;

  /** When it has to ask again, unless it is used before. */
  expiresAt: string | null;

  createdAt: string;
}

export class ConnectedAppPatch {
  @BudgetField('What may be used through the app; null: no limit of its own.')
  budget?: unknown;
}

export class ConnectedAppPage extends PageOf(ConnectedAppDto) {}
