import { Catch, Injectable } from '@nestjs/common';

import type { ProblemError } from '../../core/errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../../core/http/index.js';
import { ProblemFilter } from '../../core/pipeline/index.js';
import { ScimProblem } from './scim-problem.js';
import { ERROR_RESPONSE } from './scim-schemas.js';

/** Errors in the envelope of the protocol (RFC 7644, section 3.12). */
@Catch()
@Injectable()
export class ScimProblemFilter extends ProblemFilter {
  protected override write(problem: ProblemError, _: GatehouseRequest, response: GatehouseResponse): void {
    const { status, message: detail, headers } = problem;
    const scimType = problem instanceof ScimProblem ? problem.scimType : null;
    const body = JSON.stringify({
      schemas: [ERROR_RESPONSE],
      status: String(status),
      ...(scimType !== null && { scimType }),
      detail,
    });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.setHeader('content-type', 'application/scim+json');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  }
}
