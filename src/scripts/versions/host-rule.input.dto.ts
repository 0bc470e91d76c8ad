import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import type { HostProtocol, HostRule } from '../../../libs/egress/index.js';
import { secondsForm } from '../../core/http/index.js';
import {
  ASKS,
  CONTENT_TYPE,
  MAX_METHODS,
  MAX_NAME_BYTES,
  MAX_PATH_LENGTH,
  MAX_PATHS,
  MAX_PLANNED_BYTES,
  METHOD,
  MOST_CONNECTIONS,
  MOST_STATEMENT_SECONDS,
  PATH,
  PROTOCOLS,
} from './host-rule.form.js';

/** What holds on each connection to a PostgreSQL server. */
export class PostgresRuleInput {
  /** The only database. Left out: the one that the secret or the client names. */
  @ApiPropertyOptional({ type: String, maxLength: MAX_NAME_BYTES, nullable: true })
  database?: string | null;

  /** The role that is taken after the sign-in and cannot be left. */
  @ApiPropertyOptional({ type: String, maxLength: MAX_NAME_BYTES, nullable: true })
  role?: string | null;

  /** Whether only what reads passes. Functions of the database may do more: sign in as a user that may only read. */
  @ApiPropertyOptional({ type: Boolean, default: false })
  readOnly?: boolean;

  /** The longest that a statement may take, in seconds or as a text such as `90s`. */
  @ApiPropertyOptional(
    secondsForm({ type: 'integer', minimum: 1, maximum: MOST_STATEMENT_SECONDS, nullable: true }),
  )
  statementTimeout?: number | string | null;

  /** Connections of a run at a time. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MOST_CONNECTIONS,
    default: 10,
    nullable: true,
  })
  maxConnections?: number | null;
}

/** What a request that is not sent gets in a plan. */
export class PlannedResponseInput {
  @ApiProperty({ type: 'integer', minimum: 200, maximum: 599 })
  status: number;

  /** At most 4,096 bytes. Left out: none, as with 204, 205 and 304. */
  @ApiPropertyOptional({ type: String, maxLength: MAX_PLANNED_BYTES, nullable: true })
  body?: string | null;

  /** Of the body. Left out: `application/json`. */
  @ApiPropertyOptional({ type: String, pattern: CONTENT_TYPE.source, nullable: true })
  contentType?: string | null;
}

/** A host with the only requests that it may get, or with how else it is spoken to. Named again, it may get those requests as well. */
export class HostRuleInput {
  /** A name, with a port unless that is the usual one, `*.` for any below. */
  host: string;

  /** Instead of one behind the name. Left out: 443, of `http` 80, of `postgres` 5432; `tcp` has no usual one. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 65_535, nullable: true })
  port?: number | null;

  /**
   * How it is spoken to. `http`: in the clear, with secrets only where the operator allows it. `tls`: TLS outward, and TLS or plain text in the box. `tcp`: whatever the
   * two speak. `postgres`: the gate signs in. Each but `https` is one host by its name.
   */
  @ApiPropertyOptional({ enum: ['https', ...PROTOCOLS], default: 'https' })
  protocol?: 'https' | HostProtocol;

  /** In upper case. Left out or null: any. GET does not include HEAD; a websocket is a GET. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: METHOD.source },
    minItems: 1,
    maxItems: MAX_METHODS,
    nullable: true,
  })
  methods?: string[] | null;

  /** Each exact, or with a `*` at its end everything that begins so; without a query. Left out or null: any. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', pattern: PATH.source, maxLength: MAX_PATH_LENGTH },
    minItems: 1,
    maxItems: MAX_PATHS,
    nullable: true,
  })
  paths?: string[] | null;

  /**
   * Of `http` and `https`: the gate holds each request that fits until a person has approved exactly it. `agents`: where an agent has
   * started the run. A request that several rules fit is held if one of them asks. Of `postgres`: likewise each statement that may write.
   */
  @ApiPropertyOptional({ enum: ASKS, nullable: true, example: 'always' })
  ask?: NonNullable<HostRule['ask']> | null;

  /** Of `http` and `https`: what a request that fits, and is not sent because the run is a plan, gets instead of 409. */
  @ApiPropertyOptional({ nullable: true })
  plan?: PlannedResponseInput | null;

  /** Of `postgres`: what holds on each connection. */
  @ApiPropertyOptional({ nullable: true })
  postgres?: PostgresRuleInput | null;
}
