import { createParamDecorator, type ExecutionContext, SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension, ApiHeader } from '@nestjs/swagger';

import type { AccessRequest } from './access-request.js';
import type { AccessRule, WorkspaceRule } from './access-rule.js';

export const ACCESS_RULE = 'gatehouse:access';

const WORKSPACE_HEADERS = [
  {
    name: 'x-workspace',
    required: false,
    description:
      "The workspace's slug. Required for a personal access token and in the app; ignored for an API key.",
    schema: { type: 'string', minLength: 1 },
  },
  {
    name: 'x-environment',
    required: false,
    description: 'The environment that the request acts in, by name. Without it: the default one.',
    schema: { type: 'string', minLength: 1 },
  },
];

/**
 * Declares who may use a route, for the guard and for the OpenAPI document. Each route has exactly one; a route
 * without it stops the start.
 *
 * @example
 * \@Access({ scope: 'runs:read', role: 'guest', reach: 'own' })
 */
export function Access(rule: AccessRule): MethodDecorator {
  const marks = [SetMetadata(ACCESS_RULE, rule)];
  if (rule === 'public') return applyDecorators(...marks);
  if (rule === 'session') return applyDecorators(...marks, ApiCookieAuth('session'));
  if (rule === 'personal_token') return applyDecorators(...marks, ApiBearerAuth('personalAccessToken'));
  return applyDecorators(
    ...marks,
    ...WORKSPACE_HEADERS.map((header) => ApiHeader(header)),
    ...securityOf(rule),
  );
}

function securityOf(rule: WorkspaceRule): MethodDecorator[] {
  const takes = (kind: NonNullable<WorkspaceRule['kinds']>[number]): boolean =>
    rule.kinds?.includes(kind) ?? true;
  const needs = {
    role: rule.role,
    reach: rule.reach,
    ...(rule.scope && { scope: rule.scope }),
    ...(rule.kinds && { kinds: rule.kinds }),
  };
  return [
    ApiExtension('x-access', needs),
    ...(takes('personal_token') ? [ApiBearerAuth('personalAccessToken')] : []),
    ...(takes('api_key') ? [ApiBearerAuth('apiKey')] : []),
    ...(takes('session') ? [ApiCookieAuth('session')] : []),
    ...(takes('agent') ? [ApiBearerAuth('app')] : []),
  ];
}

/** The caller of a workspace route. */
export const InWorkspace = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<AccessRequest>().workspaceCaller,
);

/** The caller of a route outside of workspaces. */
export const CalledBy = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AccessRequest>().caller,
);
