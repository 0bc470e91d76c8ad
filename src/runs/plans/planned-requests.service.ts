import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/index.js';
import { keysetPage, type Page, type PageRequest } from '../../core/database/index.js';
import { RunsService } from '../runs.service.js';
import type { PlannedRequestDto } from './planned-request.dto.js';
import type { PlannedRequest } from './planned-request.entity.js';
import { PlannedRequestsRepository } from './planned-requests.repository.js';

/** What plans would have sent, for those who may see the runs. */
@Injectable()
export class PlannedRequestsService {
  constructor(
    private readonly runs: RunsService,
    private readonly requests: PlannedRequestsRepository,
  ) {}

  async list(caller: WorkspaceCaller, id: string, request: PageRequest): Promise<Page<PlannedRequestDto>> {
    await this.runs.visible(caller, id);
    return keysetPage(
      request,
      { list: 'planned_requests', filters: [caller.workspace.id, id] },
      async (after, count) => {
        const requests = await this.requests.list(id, after === null ? 0 : numberOf(after), count);
        return requests.map((one) => ({ ...one, id: cursorIdOf(one.number) }));
      },
      (planned) => presentPlanned(planned),
    );
  }
}

function presentPlanned(request: PlannedRequest): PlannedRequestDto {
  const { number, at, protocol, host, method, target, headers } = request;
  const { bodyText: text, bodyBytes: bytes, bodySha256: sha256 } = request;
  return {
    ...{ number, at: at.toISOString(), protocol, host, method, target, headers },
    body: { text, bytes, sha256 },
  };
}

/** A cursor holds an id. */
const cursorIdOf = (number: number): string => `req_${String(number).padStart(26, '0')}`;
const numberOf = (cursorId: string): number => Number(cursorId.slice('req_'.length));
