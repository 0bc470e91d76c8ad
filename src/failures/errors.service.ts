import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page } from '../core/database/index.js';
import { Forbidden, InvalidRequest, NotFound } from '../core/errors/index.js';
import type { ErrorGroupDto, ErrorListQuery } from './error.dto.js';
import type { ErrorGroup } from './error-group.entity.js';
import { presentError } from './error.presenter.js';
import { type ErrorRow, ErrorsRepository } from './errors.repository.js';

type ErrorAction = 'error.resolved' | 'error.ignored' | 'error.reopened';
type Settled = Pick<ErrorGroup, 'status' | 'ignoreUntil'>;

/** What scripts fail of, and what people say of it. */
@Injectable()
export class ErrorsService {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /** Its cursors are events: the list goes by when errors were seen last. */
  list(caller: WorkspaceCaller, { limit, cursor, ...filters }: ErrorListQuery): Promise<Page<ErrorGroupDto>> {
    const { workspace, role, person, scriptChoice, bound, environment } = caller;
    if (bound && filters.environment !== undefined && filters.environment !== environment.name)
      throw new Forbidden(`This credential is bound to the environment ${environment.name}.`);
    const seenBy = [workspace.id, role, person?.id, scriptChoice, bound && environment.id];
    return keysetPage(
      { limit, cursor },
      { list: 'errors', filters: [seenBy, filters] },
      async (after, count) => {
        const rows = await this.errors.list(caller, filters, after, count);
        return rows.map((row) => ({ id: row.lastEventId, row }));
      },
      ({ row }) => presentError(row),
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<ErrorGroupDto> {
    return presentError(await this.find(caller, id));
  }

  resolve(caller: WorkspaceCaller, id: string): Promise<ErrorGroupDto> {
    return this.settle(caller, id, 'error.resolved', { status: 'resolved', ignoreUntil: null });
  }

  ignore(caller: WorkspaceCaller, id: string, until: string | null): Promise<ErrorGroupDto> {
    const ignoreUntil = until === null ? null : new Date(until);
    if (ignoreUntil !== null && ignoreUntil <= new Date())
      throw InvalidRequest.at('until', 'must be a moment that is to come');
    return this.settle(caller, id, 'error.ignored', { status: 'ignored', ignoreUntil });
  }

  reopen(caller: WorkspaceCaller, id: string): Promise<ErrorGroupDto> {
    return this.settle(caller, id, 'error.reopened', { status: 'open', ignoreUntil: null });
  }

  /** Where it is so already, nothing changes. */
  private settle(
    caller: WorkspaceCaller,
    id: string,
    action: ErrorAction,
    { status, ignoreUntil }: Settled,
  ): Promise<ErrorGroupDto> {
    return this.database.transaction(async () => {
      const { title, scriptSlug } = await this.find(caller, id);
      const before = await this.errors.lock(id);
      if (!before) throw new NotFound('error');
      const isSo =
        before.status === status &&
        (before.ignoreUntil?.getTime() ?? null) === (ignoreUntil?.getTime() ?? null);
      if (!isSo) {
        await this.errors.settle(id, { status, ignoreUntil, statusByUserId: caller.person?.id ?? null });
        const details = { title, script: scriptSlug, ...(status === 'ignored' && { until: ignoreUntil }) };
        await this.audit.record(caller.workspace.id, caller, action, { type: 'error', id }, details);
      }
      return this.get(caller, id);
    });
  }

  private async find(caller: WorkspaceCaller, id: string): Promise<ErrorRow> {
    const row = isId('error', id) ? await this.errors.find(caller, id) : null;
    if (!row) throw new NotFound('error');
    return row;
  }
}
