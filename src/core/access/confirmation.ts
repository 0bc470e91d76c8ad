import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

import { ConfirmationRequired, Forbidden } from '../errors/index.js';
import type { Caller, WorkspaceCaller } from './caller.js';

export const NEEDS_CONFIRMATION = 'gatehouse:needs-confirmation';
export const NEEDS_STEP_UP = 'gatehouse:needs-step-up';
export const NEEDS_CONFIRMATION_EXTENSION = 'x-needs-confirmation';
export const NEEDS_STEP_UP_EXTENSION = 'x-needs-step-up';

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

/**
 * The same for a part of what a route does.
 *
 * @throws ConfirmationRequired
 */
export function assertConfirmed({ confirmed }: Pick<Caller, 'confirmed'>): void {
  if (!confirmed) throw new ConfirmationRequired();
}

/**
 * Marks a route before which people make sure that it is them, where their workspace wants so: within as many minutes as it
 * says. A token of theirs cannot do so and is refused there. A key of the workspace has no person and goes on.
 *
 * @example
 * \@Put(':name')
 * \@Access({ scope: 'workspace.secrets:write', role: 'member', reach: 'own' })
 * \@NeedsStepUp()
 */
export function NeedsStepUp(): MethodDecorator {
  return applyDecorators(SetMetadata(NEEDS_STEP_UP, true), ApiExtension(NEEDS_STEP_UP_EXTENSION, true));
}

/**
 * The same for a part of what a route does.
 *
 * @throws ConfirmationRequired, or Forbidden for a token
 */
export function assertSteppedUp({
  kind,
  stepUpMinutes,
}: Pick<WorkspaceCaller, 'kind' | 'stepUpMinutes'>): void {
  if (stepUpMinutes === null) return;
  if (kind === 'session') throw new ConfirmationRequired(stepUpMinutes);
  throw new Forbidden(
    `This workspace wants its people to confirm in the app that it is them, within ${stepUpMinutes} minutes before this. A token cannot.`,
  );
}
