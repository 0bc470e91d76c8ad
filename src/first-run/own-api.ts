import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

import { Settings } from '../core/config/settings.js';
import { bearer } from './bearer.js';
import type { FirstRunCredentials } from './first-run-file.js';

const MOST_WAITS = 10;

export interface OwnRequest {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
  bytes?: { content: Buffer; type: string };
}

/** Calls this process's own API without a socket: what the first start does is what anybody could do from outside. */
@Injectable()
export class OwnApi {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  /** The body of the answer; null when there is no such thing (404). @throws Error with the API's message */
  async call<T>(credentials: FirstRunCredentials, request: OwnRequest): Promise<T | null> {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { method, path, json, bytes } = request;
    for (let waits = 0; ; waits++) {
      const answer = await server.inject({
        method,
        url: path,
        headers: {
          ...bearer(credentials, this.settings.personalTokens),
          ...(bytes && { 'content-type': bytes.type, 'content-length': String(bytes.content.length) }),
        },
        ...((json ?? bytes) && { payload: json ?? bytes!.content }),
      });
      const { statusCode: status } = answer;
      if (status === 429 && waits < MOST_WAITS) {
        await sleep(Number(answer.headers['retry-after'] ?? 1) * 1000);
        continue;
      }
      if (status === 404 && method === 'GET') return null;
      const body: unknown = JSON.parse(answer.body);
      if (status < 400) return body as T;
      throw new Error((body as { error: { message: string } }).error.message);
    }
  }
}
