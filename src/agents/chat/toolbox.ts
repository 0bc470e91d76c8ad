import type { ToolSet } from 'ai';

import { FairSemaphore } from '../../core/semaphore/index.js';
import type { HeldRunDto } from '../../runs/index.js';
import type {
  Tool,
  ToolCallContext,
  ToolCaller,
  ToolChoice,
  ToolResult,
  ToolsService,
} from '../../tools/index.js';
import type { TellChat } from './chat-events.js';
import { CHAT_LIMITS, type ChatBudget } from './chat-limits.js';
import type { ChatRecord } from './chat-record.js';

const NO_MORE_CALLS = `limit: No more than ${CHAT_LIMITS.calls} tools are called for one message. Tell the person what was done.`;
const NO_MORE_RUNS = `limit: No more than ${CHAT_LIMITS.runs} runs are started for one message. Tell the person what was done.`;

interface ToolboxOptions {
  by: ToolCaller;
  scripts: readonly string[];
  budget: ChatBudget;
  tell: TellChat;
  record: ChatRecord;
  requestId: string;
}

/** The tools of one message, as the AI SDK calls them, and the runs that they have started. */
export class Toolbox {
  private readonly started = new Map<string, HeldRunDto>();
  private readonly semaphore = new FairSemaphore({ permits: CHAT_LIMITS.callsAtOnce });
  private readonly choice: Required<ToolChoice>;
  private tools = new Map<string, Tool>();

  constructor(
    private readonly service: ToolsService,
    private readonly options: ToolboxOptions,
  ) {
    this.choice = { only: options.scripts };
  }

  /** For the model, by the names that it takes. */
  async open({ dynamicTool, jsonSchema }: typeof import('ai')): Promise<ToolSet> {
    const tools = await this.service.list(this.options.by.caller, this.choice);
    // A person is told the slug.
    this.tools = new Map(tools.map((tool) => [tool.name, { ...tool, name: tool.script ?? tool.name }]));
    const entries = [...this.tools].map(([name, tool]) => {
      const execute = (input: unknown, call: { toolCallId: string; abortSignal?: AbortSignal }) =>
        this.semaphore.run('', () => this.call(tool, input, call.toolCallId, call.abortSignal));
      const { description, inputSchema } = tool;
      return [name, dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute })];
    });
    return Object.fromEntries(entries) as ToolSet;
  }

  find(name: string): Tool | null {
    return this.tools.get(name) ?? null;
  }

  /** In the order in which they were started, as a list shows runs. */
  get runs(): HeldRunDto[] {
    return [...this.started.values()];
  }

  private async call(tool: Tool, input: unknown, id: string, signal?: AbortSignal): Promise<string> {
    const { budget, record } = this.options;
    if (!budget.takeCall()) return NO_MORE_CALLS;
    record.call(id, { tool: tool.name, script: tool.script, input });
    const text = await this.resultOf(tool, input, id, signal);
    record.result(id, text);
    return text;
  }

  private async resultOf(tool: Tool, input: unknown, id: string, signal?: AbortSignal): Promise<string> {
    const { by, budget, requestId } = this.options;
    const startsRun = tool.script !== null;
    if (startsRun && !budget.takeRun()) return NO_MORE_RUNS;
    const context: ToolCallContext = {
      signal: signal ?? new AbortController().signal,
      onRun: (run: HeldRunDto) => this.note(run, tool, id, startsRun),
      requestId,
    };
    const result = await this.service.call(by, tool.name, input, context, this.choice);
    if (result.run) this.note(result.run, tool, id, startsRun);
    else if (startsRun) budget.giveRunBack();
    else if (!result.isError) await this.noteNamed(input, id, context);
    return textOf(result);
  }

  /** A result that is kept is hidden from whoever loses the script, so it has to be known which one it is about. */
  private async noteNamed(input: unknown, id: string, context: ToolCallContext): Promise<void> {
    const { by, record } = this.options;
    const named = (input as { runId?: unknown } | null)?.runId;
    if (!record.isKept || typeof named !== 'string') return;
    const { run } = await this.service.look(by, named, context);
    if (run) record.run(id, run);
  }

  private note(whole: HeldRunDto, { name }: Tool, id: string, isNew: boolean): void {
    this.options.record.run(id, whole);
    const run = asListed(whole);
    const before = this.started.get(run.id);
    if ((!before && !isNew) || before?.status === run.status) return;
    this.started.set(run.id, run);
    this.options.tell('run', { id, tool: name, run });
  }
}

function asListed(run: HeldRunDto): HeldRunDto {
  const {
    inputs: _,
    output: __,
    queuedBehind: ___,
    network: ____,
    files: _____,
    attempts: ______,
    waitsBecause: _______,
    ...listed
  } = run;
  return listed;
}

function textOf({ text, links }: ToolResult): string {
  return [text, ...links.map(({ name, uri, size }) => `${name} (${size} bytes): ${uri}`)].join('\n');
}
