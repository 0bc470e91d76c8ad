import type { RememberedCredential, Scope, WorkspaceCaller } from '../core/access/index.js';
import type { HeldRunDto } from '../runs/index.js';

/** What a model is told of a tool that it may call. */
export interface Tool {
  /** No longer than models take: of a long slug its start, with a digest. */
  name: string;
  title: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** JSON Schema of an object: what `structured` of a result holds. */
  outputSchema?: Record<string, unknown>;
  annotations: ToolAnnotations;
  /** All of them are needed; that is judged at the call. */
  scopes: readonly Scope[];
  /** The slug, where it is a script's tool. */
  script: string | null;
}

/** Hints for clients, by the names of the Model Context Protocol. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Who calls tools. */
export interface ToolCaller {
  /** An agent, or somebody over `/mcp`: `isAgent` holds. */
  caller: WorkspaceCaller;
  /**
   * The same credential in another environment of its workspace.
   *
   * @throws ProblemError as the guard would for a request that names that environment
   */
  enter(environment: string): Promise<WorkspaceCaller>;
}

/** What goes on beside a call. */
export interface ToolCallContext {
  /** Aborted: nobody waits for the result any more. */
  signal: AbortSignal;
  /** From 0 to 1, as the script that is waited for reports it. With somebody to tell it to, long runs are waited for too. */
  onProgress?(progress: number, message: string | null): void;
  /** As soon as the call has started a run, and before it waits for it. */
  onRun?(run: HeldRunDto): void;
  /** The caller follows a long run by other means, so that it is not waited for. */
  followsByItself?: boolean;
  /** Of the request, for the log. */
  requestId?: string;
  /** With which the call came; not in a conversation, whose agent has none. */
  credential?: RememberedCredential;
}

/** A place where more can be read. */
export interface ToolLink {
  uri: string;
  name: string;
  mimeType: string;
  /** In bytes. */
  size: number;
}

export interface ToolResult {
  /** For a model: cut where it would be too long, and it says so. */
  text: string;
  /** The same for a program. */
  structured?: Record<string, unknown>;
  links: readonly ToolLink[];
  isError: boolean;
  /** The run that the call started or waited for. */
  run: HeldRunDto | null;
  /** There is no such tool for that caller, and nothing was done. */
  isUnknown?: true;
}

/** Which tools there are for somebody. */
export interface ToolChoice {
  /** Only what was granted of: the tools of the scripts with these slugs, and those that follow a run. */
  only?: readonly string[];
}
