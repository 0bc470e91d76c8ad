import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { Settings } from '../core/config/index.js';
import { bearer } from './bearer.js';
import type { FirstRunCredentials } from './first-run-file.js';

const MOST_WAITS = 10;

interface OwnRequest {
  method: 'GET' | 'POST';
  path: string;
  json?: object;
  bytes?: { content: Buffer; type: string };
}

/** Calls this process's own API: what the first start does is what anybody could do from outside. */
@Injectable()
export class LoopbackApiClient {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  /**
   * The body of the response; null when there is no such thing (404).
   *
   * @throws Error with the API's message
   */
  async call<T>(credentials: FirstRunCredentials, request: OwnRequest): Promise<T | null> {
    const { method, path, json, bytes } = request;
    const headers = {
      ...bearer(credentials, this.settings.personalTokens),
      ...(json && { 'content-type': 'application/json' }),
      ...(bytes && { 'content-type': bytes.type }),
    };
    const body = json ? JSON.stringify(json) : (bytes?.content ?? null);
    for (let waits = 0; ; waits++) {
      const response = await fetch(new URL(path, this.origin), { method, headers, body });
      const { status } = response;
      const text = await response.text();
      if (status === 429 && waits < MOST_WAITS) {
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
        continue;
      }
      if (status === 404 && method === 'GET') return null;
      const value: unknown = JSON.parse(text);
      if (status < 400) return value as T;
      throw new Error((value as { error: { message: string } }).error.message);
    }
  }

  /** Where this process listens itself, which need not be where its base URL leads. */
  private get origin(): string {
    const { address, family, port } = (
      this.host.httpAdapter.getHttpServer() as Server
    ).address() as AddressInfo;
    const local = address === '::' || address === '0.0.0.0' ? 'localhost' : address;
    return `http://${family === 'IPv6' && local === address ? `[${local}]` : local}:${port}`;
  }
}
