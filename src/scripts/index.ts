export { type AskRule, asksOf } from './ask-rule.js';
export type { RunnableScript, ScriptOffer, VersionFacts } from './runnable-script.js';
export { Runtime, type RuntimeProvider, type ScriptFolder } from './runtimes/runtime.js';
export { ScriptRuntimes } from './runtimes/script-runtimes.js';
export { ScriptCatalogService } from './script-catalog.service.js';
export { ScriptDetailDto, ScriptHookDto, ScriptScheduleDto } from './script.dto.js';
export { Script } from './script.entity.js';
export { ScriptListQuery } from './script-input.dto.js';
export { READ_SCRIPTS } from './script-rules.js';
export type { ScriptStatus } from './script.status.js';
export { SCRIPT_SUBJECT } from './script-visibility.js';
export { type ScriptUse, ScriptUsageHooks, type UsedScript, type UseViewer } from './script-usage-hooks.js';
export { type ScriptViewer, viewerOf } from './script-viewer.js';
export { ScriptsModule } from './scripts.module.js';
export { ScriptsService } from './scripts.service.js';
export { countEndedRun, countStartedRuns, countStartingPeople } from './stats/script-activity.sql.js';
export { ScriptVersion } from './versions/script-version.entity.js';
export type { Concurrency } from './versions/concurrency.js';
export type { Debounce } from './versions/debounce.js';
export {
  LABEL_KEY,
  LABEL_VALUE_PATTERN,
  labelParts,
  type Labels,
  LABELS_FORM,
  labelValueProblem,
  MAX_LABEL_LENGTH,
  MAX_LABELS,
  parseLabels,
} from './versions/labels.js';
export { type KeyPart, keyParts } from './versions/key-template.js';
export type { Keep } from './versions/keep.js';
export { type Resources, USUAL_RESOURCES } from './versions/resources.js';
export { type AttemptReason, delayAfter, isTriedAgain, parseRetry, type Retry } from './versions/retry.js';
export { MAX_ATTEMPTS, RetryInput } from './versions/retry.dto.js';
export { ScriptVersionDto, ScriptVersionPage } from './versions/version.dto.js';
export { ScriptVersionInput } from './versions/version-input.dto.js';
export { VERSION_NUMBER, VersionNumberPipe } from './versions/version-number.js';
