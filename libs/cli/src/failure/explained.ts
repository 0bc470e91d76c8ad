import { ForbiddenError, InvalidRequestError, NotFoundError } from '@gatehouse/client';

import type { Context } from '../context.js';
import { nearest } from '../general/nearest.js';
import { CommandFailure, WrongUse } from './command-failure.js';
import { EXIT } from './exit-codes.js';

/** Of those a typed name is compared with. */
const MOST_LOOKED_AT = 500;

/** A failure with what only the service can say about it: in which workspaces a token can act, and which script was meant. */
export async function explained(error: unknown, context: Context): Promise<unknown> {
  try {
    return (await explanation(error, context)) ?? error;
  } catch {
    return error;
  }
}

async function explanation(error: unknown, context: Context): Promise<CommandFailure | null> {
  if (error instanceof InvalidRequestError && error.details[0]?.path === 'x-workspace') {
    const slugs = await workspacesOf(context);
    if (slugs.length === 0) return new CommandFailure('This token can act in no workspace.');
    return new WrongUse(
      `In which workspace? This token can act in: ${slugs.join(', ')}.`,
      `Add --workspace ${slugs[0]}, or set GATEHOUSE_WORKSPACE`,
    );
  }
  if (error instanceof ForbiddenError && error.message.includes('cannot act in the workspace')) {
    const { workspace } = await context.settings();
    const slugs = await workspacesOf(context);
    if (slugs.length === 0) return null;
    const meant = nearest(workspace ?? '', slugs);
    return new CommandFailure(
      error.message,
      `${meant === null ? '' : `Did you mean ${meant}? `}It can act in: ${slugs.join(', ')}`,
      EXIT.notAllowed,
    );
  }
  if (error instanceof NotFoundError && error.message === 'There is no such script.') {
    return noScript(context);
  }
  return null;
}

async function workspacesOf({ gatehouse }: Context): Promise<string[]> {
  const { workspaces } = await (await gatehouse()).with({ retries: 0, workspace: undefined }).user.me();
  return workspaces.map(({ slug }) => slug);
}

async function noScript({ args: [typed = ''], gatehouse }: Context): Promise<CommandFailure | null> {
  const slugs: string[] = [];
  for await (const { slug } of (await gatehouse()).with({ retries: 0 }).scripts.list()) {
    slugs.push(slug);
    if (slugs.length === MOST_LOOKED_AT) break;
  }
  // Another script is missing than the one that stands first, such as that of a folder.
  if (typed === '' || slugs.includes(typed)) return null;
  const meant = nearest(typed, slugs);
  return new WrongUse(
    `There is no script "${typed}" here.`,
    meant === null ? 'Look: gatehouse scripts list' : `Did you mean ${meant}?`,
  );
}
