import { refusalInWorkspace, type WorkspaceCaller, type WorkspaceRule } from '../core/access/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { StrictValidationPipe } from '../core/http/index.js';
import { ENVIRONMENT, enterNamed } from './environment-argument.js';
import type { Tool, ToolAnnotations, ToolCallContext, ToolCaller, ToolResult } from './tool.js';

/** A tool of the platform itself. */
export interface FixedTool<Arguments extends object = object> {
  name: string;
  title: string;
  description: string;
  /** JSON Schemas of the arguments, by name. */
  properties: Record<string, object>;
  required?: readonly string[];
  /** Checks the arguments, and says what is wrong with them as the route does for its body or query. */
  takes: new () => Arguments;
  /** The very rule of the route that does the same: no guard is in the way of a tool. */
  rule: WorkspaceRule;
  effect: Effect;
  /** It acts in an environment, and may be told to act in another than the request's. */
  inEnvironment?: true;
  /** What it gives is a run that it has started. */
  startsRun?: true;
  /** It follows a run, so it goes with every choice of scripts. */
  followsRun?: true;
  run(caller: WorkspaceCaller, args: Arguments, context: ToolCallContext): Promise<ToolResult>;
}

/** What a call does to the world. */
type Effect = 'reads' | 'changes' | 'ends';

const EFFECTS: Readonly<Record<Effect, ToolAnnotations>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  changes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  ends: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

const VALIDATION = new StrictValidationPipe();

/** Keeps the type of a tool's arguments between its check and its work. */
export function fixedTool<Arguments extends object>(tool: FixedTool<Arguments>): FixedTool {
  return tool as unknown as FixedTool;
}

/** What a caller is told of it. */
export function describe(tool: FixedTool, { bound }: WorkspaceCaller): Tool {
  const { name, title, description, properties, required, rule, effect } = tool;
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties, ...(tool.inEnvironment && !bound && { environment: ENVIRONMENT }) },
      ...(required && { required }),
      additionalProperties: false,
    },
    annotations: EFFECTS[effect],
    scopes: rule.scope ? [rule.scope] : [],
    script: null,
  };
}

/** @throws ProblemError as the route would */
export async function callFixed(
  tool: FixedTool,
  by: ToolCaller,
  given: unknown,
  context: ToolCallContext,
): Promise<ToolResult> {
  const refusal = refusalInWorkspace(tool.rule, by.caller);
  if (refusal) throw refusal;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidRequest('The arguments must be a JSON object.');
  }
  let caller = by.caller;
  let args: object = given;
  if (tool.inEnvironment && 'environment' in given) {
    const { environment, ...others } = given;
    caller = await enterNamed(by, environment);
    // In another environment the caller could be another one, so the rule is asked again.
    const refusalThere = refusalInWorkspace(tool.rule, caller);
    if (refusalThere) throw refusalThere;
    args = others;
  }
  const checked = (await VALIDATION.transform(args, { type: 'body', metatype: tool.takes })) as object;
  return tool.run(caller, checked, context);
}
