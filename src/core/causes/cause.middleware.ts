import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction } from 'express';

import { Forbidden } from '../errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../http/index.js';
import { Causes } from './causes.js';
import { RUN_HEADER, RunTokens } from './run-tokens.js';

/** Handles what a script asks for as caused by its run. What says so without the gate's word is refused. */
@Injectable()
export class CauseMiddleware implements NestMiddleware {
  constructor(
    private readonly causes: Causes,
    private readonly tokens: RunTokens,
  ) {}

  use(request: GatehouseRequest, _response: GatehouseResponse, next: NextFunction): void {
    const token = request.headers[RUN_HEADER];
    if (token === undefined) return next();
    const run = typeof token === 'string' ? this.tokens.read(token) : null;
    if (!run)
      throw new Forbidden('The header X-Gatehouse-Run is written by the gate, and this is none of its own.');
    request.causedBy = run;
    this.causes.within(run, next);
  }
}
