import { Injectable, Logger } from '@nestjs/common';

import {
  refusalInWorkspace,
  type Scope,
  type WorkspaceCaller,
  type WorkspaceRule,
} from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { InvalidRequest, NotFound, ProblemError } from '../core/errors/index.js';
import { problemOf } from '../core/pipeline/index.js';
import { READ_RUNS, START_RUNS } from '../runs/index.js';
import { ScriptCatalogService, viewerOf } from '../scripts/index.js';
import { callFixed, describe, type FixedTool } from './fixed-tool.js';
import { PlatformTools } from './platform-tools.js';
import { RunCallsService } from './run-calls.service.js';
import { scriptTool } from './script-tool.js';
import { cursorAfter, placeOfCursor } from './tool-cursor.js';
import { ToolCallAudit } from './tool-call-audit.js';
import { partsOfCutName } from './tool-names.js';
import { problemResult } from './tool-results.js';
import type { Tool, ToolCallContext, ToolCaller, ToolChoice, ToolResult } from './tool.js';

interface ToolPage {
  tools: Tool[];
  nextCursor: string | null;
}

/** The tools that an agent may use: the platform's own, and one for each published script that it may run. */
@Injectable()
export class ToolsService {
  private readonly logger = new Logger(ToolsService.name);
  private readonly mostTools: number;

  constructor(
    private readonly platformTools: PlatformTools,
    private readonly catalog: ScriptCatalogService,
    private readonly calls: RunCallsService,
    private readonly audit: ToolCallAudit,
    { mcpTools }: Settings,
  ) {
    this.mostTools = mcpTools;
  }

  /** Those of the choice that the caller may use: the platform's own, then those of scripts by slug. */
  async list(caller: WorkspaceCaller, choice: Required<ToolChoice>): Promise<Tool[]> {
    const offers = isListed(START_RUNS, caller)
      ? await this.catalog.offersNamed(viewerOf(caller), choice.only)
      : [];
    return [...this.listFixed(caller, choice), ...offers.map((offer) => scriptTool(offer, caller))];
  }

  /**
   * In pages: the platform's own in the order of their families, then those of scripts by slug, until there are as many as the
   * operator wants listed. `find_scripts` finds the rest. Those whose scope was not granted are left out: a call of one
   * tells the client all the same which to ask for.
   *
   * @throws InvalidRequest where that is no cursor
   */
  async page(caller: WorkspaceCaller, cursor: string | undefined): Promise<ToolPage> {
    const from = cursor === undefined ? null : placeOfCursor(cursor);
    const fixed = this.listFixed(caller, {});
    const shown = from === null ? fixed : [];
    const listed = from?.listed ?? 0;
    const left = Math.max(0, this.mostTools - fixed.length) - listed;
    if (left <= 0 || !isListed(START_RUNS, caller)) return { tools: shown, nextCursor: null };
    const page = { after: from?.slug ?? null, most: left };
    const { offers, hasMore } = await this.catalog.offersAfter(viewerOf(caller), page);
    const last = offers.at(-1);
    return {
      tools: [...shown, ...offers.map((offer) => scriptTool(offer, caller))],
      nextCursor: last && hasMore ? cursorAfter({ slug: last.slug, listed: listed + offers.length }) : null,
    };
  }

  /** Whatever its name, what a call of a tool needs to have been granted. */
  scopesOf(name: string): readonly Scope[] {
    const { scope } = this.platformTools.find(name)?.rule ?? START_RUNS;
    return scope ? [scope] : [];
  }

  /** By the name of the tool, or by the whole slug of a script. What the caller did wrong is a result with `isError`, never thrown. */
  async call(
    by: ToolCaller,
    given: string,
    args: unknown,
    context: ToolCallContext,
    choice: ToolChoice = {},
  ): Promise<ToolResult> {
    const cut = partsOfCutName(given);
    const name = (cut && (await this.catalog.findSlug(viewerOf(by.caller), cut))) ?? given;
    const fixed = this.platformTools.find(name);
    const result = await this.carryOut(by, name, args, context, choice);
    if (!result.isUnknown) {
      const called = { tool: name, script: fixed ? null : name, reads: fixed?.effect === 'reads' };
      await this.audit.record(by.caller, called, result);
    }
    return result;
  }

  private async carryOut(
    by: ToolCaller,
    name: string,
    args: unknown,
    context: ToolCallContext,
    choice: ToolChoice,
  ): Promise<ToolResult> {
    try {
      const fixed = this.platformTools.find(name);
      if (fixed && isOffered(fixed, choice)) return await callFixed(fixed, by, args ?? {}, context);
      if (fixed || choice.only?.includes(name) === false) return unknown(name);
      return await this.callScript(by.caller, name, args, context);
    } catch (error) {
      return this.failure(error, name, context);
    }
  }

  /** Whether a call of it starts a run. */
  startsRun(name: string): boolean {
    const fixed = this.platformTools.find(name);
    return fixed === undefined || fixed.startsRun === true;
  }

  /** Goes on with a call that has started a run already: no other is started. */
  resume(by: ToolCaller, runId: string, patienceMs: number, context: ToolCallContext): Promise<ToolResult> {
    return this.follow(by.caller, START_RUNS, runId, patienceMs, context);
  }

  /** What a call that started a run would give now. */
  look(by: ToolCaller, runId: string, context: ToolCallContext): Promise<ToolResult> {
    return this.follow(by.caller, READ_RUNS, runId, 0, context);
  }

  private listFixed(caller: WorkspaceCaller, choice: ToolChoice): Tool[] {
    return this.platformTools.all
      .filter((tool) => isOffered(tool, choice) && isListed(tool.rule, caller))
      .map((tool) => describe(tool, caller));
  }

  private async follow(
    caller: WorkspaceCaller,
    rule: WorkspaceRule,
    runId: string,
    patienceMs: number,
    context: ToolCallContext,
  ): Promise<ToolResult> {
    try {
      const refusal = refusalInWorkspace(rule, caller);
      if (refusal) throw refusal;
      return await this.calls.follow(caller, runId, patienceMs, context);
    } catch (error) {
      return this.failure(error, runId, context);
    }
  }

  private async callScript(
    caller: WorkspaceCaller,
    slug: string,
    args: unknown,
    context: ToolCallContext,
  ): Promise<ToolResult> {
    try {
      return await this.calls.start(caller, slug, { inputs: args }, context);
    } catch (error) {
      if (error instanceof NotFound) return unknown(slug);
      throw error instanceof InvalidRequest ? atArguments(error) : error;
    }
  }

  private failure(error: unknown, name: string, { requestId }: ToolCallContext): ToolResult {
    const problem = problemOf(error);
    if (problem.status >= 500 && !(error instanceof ProblemError)) {
      this.logger.error(error, { tool: name, ...(requestId && { requestId }) });
    }
    return problemResult(problem);
  }
}

function isOffered({ followsRun }: FixedTool, { only }: ToolChoice): boolean {
  return only === undefined || followsRun === true;
}

function isListed(rule: WorkspaceRule, caller: WorkspaceCaller): boolean {
  return refusalInWorkspace(rule, caller) === null;
}

function unknown(name: string): ToolResult {
  return { ...problemResult(new NotFound(`tool: ${name}`)), isUnknown: true };
}

/** The caller knows no `inputs`: they are the arguments themselves. */
function atArguments(error: InvalidRequest): InvalidRequest {
  const details = error.details?.map(({ path, message }) => ({
    path: path.replace(/^inputs\./, ''),
    message,
  }));
  if (!details) return error;
  return InvalidRequest.listing(details);
}
