import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const NEEDS_CONFIRMATION = 'gatehouse:needs-confirmation';
export const NEEDS_CONFIRMATION_EXTENSION = 'x-needs-confirmation';

/**
 * Marks a route that makes something which outlives a session, such as a token. In the app it takes a password given
 * within the last hour: somebody who finds a browser open must not get more than that session.
 *
 * @example
 * \@Post()
 * \@Access('session')
 * \@NeedsConfirmation()
 */
export function NeedsConfirmation(): MethodDecorator {
  return applyDecorators(
    SetMetadata(NEEDS_CONFIRMATION, true),
    ApiExtension(NEEDS_CONFIRMATION_EXTENSION, true),
  );
}
