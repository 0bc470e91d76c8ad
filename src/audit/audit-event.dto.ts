import { ApiProperty } from '@nestjs/swagger';

import { PageOf } from '../core/http/index.js';
import type { ActorType } from './actor-type.js';

export class AuditCredentialDto {
  @ApiProperty({ enum: ['api_key', 'pat'] })
  type: 'api_key' | 'pat';

  /** The key's, token's or app's name. */
  name: string | null;
}

export class AuditTargetDto {
  /** The kind of thing that was changed, such as `script`. */
  type: string;

  id: string;
}

export class AuditActorDto {
  userId: string;

  name: string;
}

export class AuditEventDto {
  id: string;

  /** What was done, as a dotted name such as `environment.created`. */
  action: string;

  @ApiProperty({ enum: ['user', 'staff', 'system', 'api_key'] })
  actorType: ActorType;

  /** What it was done with; null for actions taken in the app. */
  credential: AuditCredentialDto | null;

  /** Where the request came from, as an IP address; null for schedules and the like, and in entries of before it was kept. */
  address: string | null;

  /** What it was done to. */
  target: AuditTargetDto | null;

  /** The person who did it; null for API keys and the system. */
  actor: AuditActorDto | null;

  /**
   * What else is known of it, such as the name of what was made; `{from, to}` of a field that was changed. Which keys an action has,
   * `/docs/audit` says. `…` stands for what is longer than 2,000 characters. Never a secret. Nothing for an app with chosen scripts.
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  details: Record<string, unknown>;

  createdAt: string;
}

export class AuditEventPage extends PageOf(AuditEventDto) {}
