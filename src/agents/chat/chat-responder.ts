import { Readable } from 'node:stream';

import { Injectable, StreamableFile } from '@nestjs/common';

import { type AccessRequest, LiveResponses } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { type GatehouseResponse, whenOver } from '../../core/http/index.js';
import type { ChatDto } from './chat.dto.js';
import type { ChatAnswer } from './chat.service.js';
import { chatStream } from './chat-stream.js';

/** Sends what an agent answers: at once, or as a stream where the client takes one. */
@Injectable()
export class ChatResponder {
  constructor(
    private readonly live: LiveResponses,
    private readonly settings: Settings,
  ) {}

  /** @param begin is given the signal that nobody listens any more */
  async respond(
    request: AccessRequest,
    reply: GatehouseResponse,
    begin: (ended: AbortSignal) => Promise<ChatAnswer>,
  ): Promise<ChatDto | StreamableFile> {
    const streams = request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
    if (streams && request.headers['idempotency-key'] !== undefined) {
      throw InvalidRequest.at(
        'idempotency-key',
        'cannot be used for a stream, which could not be sent again',
      );
    }
    const live = this.live.open(request);
    whenOver(reply, () => live.close());
    try {
      const answer = await begin(live.ended);
      return streams
        ? this.stream(answer, live.ended, request, reply)
        : await answer(() => undefined, live.ended);
    } catch (error) {
      live.close();
      throw error;
    }
  }

  private stream(
    answer: ChatAnswer,
    ended: AbortSignal,
    request: AccessRequest,
    reply: GatehouseResponse,
  ): StreamableFile {
    reply.setHeader('x-accel-buffering', 'no');
    const events = chatStream((tell) => answer(tell, ended), request.id, this.settings.baseUrl);
    return new StreamableFile(Readable.from(events, { objectMode: false }), {
      type: 'text/event-stream; charset=utf-8',
    });
  }
}
