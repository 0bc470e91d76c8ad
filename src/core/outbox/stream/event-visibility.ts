import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { type SubjectViewer, SubjectVisibility, type Viewer } from '../../access/index.js';
import { idAt, mayFollow } from '../event-audience.js';
import { EventTypes } from '../event-types.js';
import type { StreamedEvent } from './streamed-events.sql.js';

interface Question extends SubjectViewer {
  kind: string;
}

type Judged = Pick<StreamedEvent, 'workspaceId' | 'environmentId' | 'eventType' | 'data'>;

interface Subject {
  kind: string;
  id: string | null;
}

interface Sighting<Event> {
  event: Event;
  /** The question that it depends on; null: it is seen in any case. */
  key: string | null;
}

/** Decides who sees which event: by its type, its environment, and the thing that it is about. */
@Injectable()
export class EventVisibility implements OnApplicationBootstrap {
  constructor(
    private readonly types: EventTypes,
    private readonly subjects: SubjectVisibility,
  ) {}

  /** An event type about something that nobody can judge stops the start. */
  onApplicationBootstrap(): void {
    for (const { audience } of this.types.all())
      if (audience?.about) this.subjects.assertKnown(audience.about.kind);
  }

  /** Whether there is a type of events that the caller may follow. */
  seesAny(caller: Viewer): boolean {
    return this.types.all().some(({ audience }) => typeof mayFollow(caller, audience) === 'string');
  }

  /** For each caller the events that they see, in their order. One statement for each kind of thing. */
  async select<Event extends Judged>(
    callers: readonly Viewer[],
    events: readonly Event[],
  ): Promise<Event[][]> {
    const questions = new Map<string, Question>();
    const subjects = new Map<Event, Subject | null>();
    const subjectOf = (event: Event): Subject | null => {
      if (!subjects.has(event)) subjects.set(event, this.subjectOf(event));
      return subjects.get(event) ?? null;
    };
    const judged = callers.map((caller) =>
      events.flatMap((event): Sighting<Event>[] => {
        const verdict = this.judge(caller, event, subjectOf);
        if (verdict === false) return [];
        if (verdict === true) return [{ event, key: null }];
        const key = `${verdict.kind} ${verdict.id} ${caller.credentialId}`;
        questions.set(key, verdict);
        return [{ event, key }];
      }),
    );
    const visible = await this.visible(questions);
    return judged.map((found) =>
      found.filter(({ key }) => key === null || visible.has(key)).map(({ event }) => event),
    );
  }

  /** The thing that an event is about; `id` is null where its data names none. */
  private subjectOf({ eventType, data }: Judged): Subject | null {
    const about = this.types.find(eventType)?.audience?.about;
    return about ? { kind: about.kind, id: idAt(JSON.parse(data), about.path) } : null;
  }

  /** true, false, or what it depends on. */
  private judge<Event extends Judged>(
    caller: Viewer,
    event: Event,
    subjectOf: (event: Event) => Subject | null,
  ): boolean | Question {
    const { workspaceId, environmentId, eventType } = event;
    if (caller.workspace.id !== workspaceId) return false;
    if (caller.bound && environmentId !== null && environmentId !== caller.environment.id) return false;
    const follows = mayFollow(caller, this.types.find(eventType)?.audience);
    if (follows !== 'some') return follows === 'all';
    // Only now are the event's data read, once for all callers.
    const subject = subjectOf(event);
    if (!subject) return true;
    return subject.id !== null && { kind: subject.kind, id: subject.id, caller };
  }

  private async visible(questions: ReadonlyMap<string, Question>): Promise<Set<string>> {
    const visible = new Set<string>();
    for (const kind of new Set([...questions.values()].map((question) => question.kind))) {
      const asked = [...questions].filter(([, question]) => question.kind === kind);
      const verdicts = await this.subjects.check(
        kind,
        asked.map(([, question]) => question),
      );
      for (const [place, [key]] of asked.entries()) if (verdicts[place]) visible.add(key);
    }
    return visible;
  }
}
