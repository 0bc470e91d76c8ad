import { type BuildRecipe, planBuild } from '../../builds/index.js';
import { inspectArchive, type InspectedArchive, refuseRepositories } from '../../../libs/archive/index.js';
import type { HostRule } from '../../../libs/egress/index.js';
import { checkCommandNames, deriveInputSchema, parseCommand } from '../../../libs/command/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import type { LimitsOfRun, Settings } from '../../core/config/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import { parseRunsOn } from '../../core/http/index.js';
import type { SchemaChecks } from '../../core/schema/index.js';
import { fieldsBeyond } from '../../usage/index.js';
import type { CommandDetectionService } from '../runtimes/command-detection.service.js';
import { parseTags } from '../tags.js';
import { type Concurrency, parseConcurrency } from './concurrency.js';
import { type Debounce, parseDebounce } from './debounce.js';
import { parseHosts } from './declared-hosts.js';
import { parseEnv } from './env-names.js';
import { parseHandler } from './handler.js';
import { type Keep, parseKeep } from './keep.js';
import { type Labels, parseLabelTemplates } from './labels.js';
import { parseResources, type Resources } from './resources.js';
import { parseRetry, type Retry } from './retry.js';
import { parseSecretUses, type SecretUse } from './secret-uses.js';
import type { ScriptFolderInput, ScriptVersionInput } from './version-input.dto.js';

const DEFAULT_TIMEOUT_SECONDS = 30;

/** A version that was asked for, checked and completed: all that is left is to store it. */
export interface VersionPlan {
  archive: InspectedArchive;
  command: string;
  build: string | null;
  /** How its dependencies are installed; null: there are none. */
  recipe: BuildRecipe | null;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema | null;
  timeoutSeconds: number;
  resources: Resources | null;
  runsOn: string[];
  retry: Retry | null;
  idempotent: boolean;
  concurrency: Concurrency | null;
  debounce: Debounce | null;
  labels: Labels;
  warm: boolean;
  handler: boolean;
  keep: Keep | null;
  hosts: string[];
  hostRules: HostRule[];
  secrets: Record<string, SecretUse>;
  env: string[];
  readme: string | null;
  /** null: the script keeps its tags. */
  tags: string[] | null;
}

interface PlanningParts {
  checks: SchemaChecks;
  commands: CommandDetectionService;
  settings: Pick<Settings, 'maxTimeoutSeconds' | 'maxMemoryMb' | 'plainSecrets'>;
  /** By the workspace's plan. */
  limits: LimitsOfRun;
}

/**
 * Checks everything about a version that can be checked without looking at the script.
 *
 * @throws InvalidRequest naming the field, entry or position
 */
export async function planVersion(
  input: ScriptFolderInput & Pick<ScriptVersionInput, 'readme' | 'tags'>,
  { checks, commands, settings, limits }: PlanningParts,
  workspaceId: string,
): Promise<VersionPlan> {
  // What is cheap to check comes before the archive is unpacked.
  const declared = parseHosts(input.hosts ?? []);
  const { hosts, rules: hostRules } = declared;
  const secrets = parseSecretUses(input.secrets ?? {}, declared, settings.plainSecrets.length > 0);
  const env = parseEnv(input.env ?? []);
  const idempotent = input.idempotent ?? false;
  const retry = parseRetry(input.retry, idempotent);
  const timeoutSeconds = input.timeout ?? DEFAULT_TIMEOUT_SECONDS;
  if (timeoutSeconds > settings.maxTimeoutSeconds)
    throw InvalidRequest.at('timeout', `must not be greater than ${settings.maxTimeoutSeconds}`);
  const resources = parseResources(input.resources, settings.maxMemoryMb);
  const beyond = fieldsBeyond({ timeoutSeconds, resources }, limits);
  if (beyond.length > 0) throw InvalidRequest.listing(beyond);
  const runsOn = parseRunsOn(input.runsOn ?? []);
  const tags = input.tags ? parseTags(input.tags) : null;
  if (input.command !== undefined) parseCommand(input.command);
  if (input.outputSchema) await checks.schema(input.outputSchema, 'outputSchema', { workspaceId });
  if (input.inputSchema) await checks.schema(input.inputSchema, 'inputSchema', { workspaceId });

  const archive = await inspectArchive(input.archive);
  refuseRepositories(archive);
  const recipe = planBuild(archive.manifests, input.build, archive.files);
  const command = input.command ?? (await commands.commandOf(archive));
  const inputSchema = schemaFor(command, input.inputSchema);
  const concurrency = parseConcurrency(input.concurrency, inputSchema);
  const debounce = parseDebounce(input.debounce, inputSchema);
  const labels = parseLabelTemplates(input.labels, inputSchema);
  const warm = input.warm ?? true;
  const handler = parseHandler(input.handler, command);
  return {
    archive,
    command,
    build: recipe?.command ?? null,
    recipe,
    inputSchema,
    outputSchema: input.outputSchema ?? null,
    timeoutSeconds,
    resources,
    runsOn,
    retry,
    idempotent,
    concurrency,
    debounce,
    labels,
    warm,
    handler,
    keep: parseKeep(input.keep, { handler, warm }),
    hosts,
    hostRules,
    secrets,
    env,
    readme: input.readme ?? null,
    tags,
  };
}

function schemaFor(command: string, given: JsonSchema | undefined): JsonSchema {
  const template = parseCommand(command);
  if (given === undefined) return deriveInputSchema(template);
  checkCommandNames(template, given);
  return given;
}
