import {
  ACTOR,
  DefinesEventTypes,
  eventData,
  type EventTypeDefinition,
  type EventTypeSource,
  SLUGGED,
} from '../core/outbox/index.js';
import type { ScriptEventType } from './script.events.js';
import { SCRIPT_SUBJECT } from './script-visibility.js';

const SCHEMA = eventData({ script: SLUGGED, version: { type: ['integer', 'null'] }, by: ACTOR });

const script = (type: ScriptEventType, description: string, version: number | null): EventTypeDefinition => ({
  type,
  description,
  environmentScoped: false,
  audience: { scope: 'scripts:read', role: 'guest', about: { kind: SCRIPT_SUBJECT, path: 'script.id' } },
  schema: SCHEMA,
  example: {
    script: { id: 'scr_01k7q3v5yzf8c9m2n4p6r8t0vx', slug: 'nightly-report', name: 'Nightly report' },
    version,
    by: { userId: 'usr_01k7q3v5yzf8c9m2n4p6r8t0vy', credentialType: null, credentialName: null },
  },
});

@DefinesEventTypes()
export class ScriptEventTypes implements EventTypeSource {
  readonly eventTypes = [
    script('script.created', 'A script was made; it has no version yet.', null),
    script('script.published', 'A version was published: runs use it from now on.', 3),
    script('script.archived', 'A script was archived: it can no longer be run.', null),
  ];
}
