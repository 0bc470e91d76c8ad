import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, ValidateBy } from 'class-validator';

import { isId } from '../core/crypto/index.js';
import { ExportOf, OptionalTimestamp, PageQuery } from '../core/http/index.js';
import { AUDIT_ACTION_NAMES, type AuditAction } from './audit.actions.js';

/** Extensions have prefixes of their own. */
const TARGET = /^(?!run_)[a-z][a-z0-9]{1,15}_[0-9A-Za-z_-]{1,64}$/;

export class AuditEventQuery extends PageQuery {
  /** Only events of this action; `/docs/audit` lists them. */
  @ApiPropertyOptional({ enum: AUDIT_ACTION_NAMES as string[] })
  @IsOptional()
  @IsIn(AUDIT_ACTION_NAMES, { message: 'is not an action of the audit trail; /docs/audit lists them' })
  action?: AuditAction;

  /** Only what the person with this user id did, in the app or through a token or an app of theirs. */
  @ApiPropertyOptional({ pattern: '^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$' })
  @IsOptional()
  @ValidateBy({
    name: 'isUserId',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isId('user', value),
      defaultMessage: () => 'must be the id of a user, as in `userId` of a member',
    },
  })
  actor?: string;

  /** Only what was done to the thing with this id, as in `target`. Not of runs: a run says itself who started it. */
  @ApiPropertyOptional({ pattern: TARGET.source })
  @IsOptional()
  @Matches(TARGET, {
    message: 'must be the id of what was changed, as in `target` of an entry, and not of a run',
  })
  target?: string;

  /** Only events from this moment on. */
  @OptionalTimestamp()
  since?: string;

  /** Only events before this moment. */
  @OptionalTimestamp()
  until?: string;
}

export class AuditExportQuery extends ExportOf(AuditEventQuery) {}
