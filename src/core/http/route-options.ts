import { SetMetadata, applyDecorators } from '@nestjs/common';

export const BODY_LIMIT = 'gatehouse:body-limit';
export const STREAMED_BODY = 'gatehouse:streamed-body';
export const FOREIGN_REQUEST = 'gatehouse:foreign-request';
export const IDEMPOTENCY = 'gatehouse:idempotency';
export const LINK_TOKEN = 'gatehouse:link-token';

export const DEFAULT_BODY_LIMIT = 1_048_576;

/** Takes a larger JSON body than 1 MiB. */
export const BodyLimit = (bytes: number): MethodDecorator => SetMetadata(BODY_LIMIT, bytes);

/** The route reads its body itself, as a stream, and sees to its idempotency itself. */
export const StreamedBody = (): MethodDecorator => SetMetadata(STREAMED_BODY, true);

/** A protocol of others says what the request looks like, query and body: the route reads both itself. */
export const ForeignRequest = (): MethodDecorator =>
  applyDecorators(SetMetadata(FOREIGN_REQUEST, true), StreamedBody());

/**
 * How a retry with the same `Idempotency-Key` is kept from acting twice. By default the whole route is one transaction,
 * committed together with its response. A route that waits for the outside world commits its resource first instead:
 * its service calls `IdempotencyService.commit` in the transaction that makes it.
 */
export const IdempotentBy = (mode: 'resource'): MethodDecorator => SetMetadata(IDEMPOTENCY, mode);

/**
 * A route for everybody who holds a link: the `token` in its path or body stands for a credential, so that an
 * `Idempotency-Key` counts for it.
 */
export const OpenedByLink = (place: 'path' | 'body'): MethodDecorator => SetMetadata(LINK_TOKEN, place);
