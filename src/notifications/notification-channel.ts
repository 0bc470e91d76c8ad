import { DiscoveryService } from '@nestjs/core';

import type { AlertNotice, AlertOptions } from './alert-notice.js';

/** A request for approval, as those are told of it who may decide. Texts are people's: a channel escapes them as it must. */
export interface NotifiedRequest {
  id: string;
  /** What kind of thing is asked for, such as `Make an environment`. */
  title: string;
  /** Exactly what will happen. */
  summary: string;
  /** Why, in the words of who asks; it may have several lines. */
  reason: string;
  /** A person's name, or `the API key CI`; null where a schedule or trigger of an API key asks. */
  askedBy: string | null;
  /** The name of the environment in which it is to be done; null where that is deleted. */
  environment: string | null;
  /** The page on which a person who is signed in decides. No link decides by itself. */
  approveUrl: string;
  /** The same page, asking for the reason of a no. */
  denyUrl: string;
}

/** Somebody who may decide some of the requests. */
export interface NotifiedPerson {
  email: string;
  name: string;
  /** How many they may decide. */
  count: number;
  /** The first ten of those. */
  requests: NotifiedRequest[];
}

/**
 * Requests of one workspace that are pending still: those that were filed together, or, where more than one a minute is to be
 * told, since the last notice.
 */
export interface ApprovalNotice {
  /** The same in each attempt. */
  id: string;
  workspace: { id: string; slug: string; name: string };
  /** How many requests there are. */
  count: number;
  /** The first ten of them. */
  requests: NotifiedRequest[];
  /** Everybody who may decide at least one of them. */
  people: NotifiedPerson[];
  /** The page with all requests that whoever signs in may decide. */
  listUrl: string;
}

/** What a class marked with `@NotificationChannel(name)` looks like: it has `notify`, `alert` or both. */
export interface NotificationChannelProvider {
  /** Whether there is anything to tell it, looked at whenever somebody asks for an approval. By default there is. */
  readonly enabled?: boolean;

  /**
   * Tells people of requests for approval. Called some milliseconds after they were filed, or within a minute where many are, with
   * no transaction open. It has 15 seconds; after that,
   * or where it throws, it is called again for about an hour, later each time. A notice may come twice, where a process ended
   * in between. The log has the message of a `ProblemError` such as `Unavailable`; of any other error only its class and
   * place, since its message may hold a secret.
   *
   * @param options `signal` is aborted when the time is up or the process stops
   */
  notify?(notice: ApprovalNotice, options: { signal: AbortSignal }): Promise<void>;

  /** What a rule names besides the channel: an https address, members who get mail, or nothing. By default nothing. */
  readonly alertsTo?: 'url' | 'people';

  /** Whether each thing that fails, such as a script in an environment, has messages of its own, in order. By default one message has all. */
  readonly alertsByIncident?: boolean;

  /** What is wrong with an address for alerts, in words that follow its path; null: nothing. */
  urlProblem?(url: URL): string | null;

  /**
   * Tells of an alert; time, repetition and the log are as with `notify`. What it throws as a `ProblemError` is shown with the
   * message of the alert.
   */
  alert?(alert: AlertNotice, options: AlertOptions): Promise<void>;
}

/**
 * Marks a provider as a way to tell people of approvals that they are asked for, or of alerts, by its name: that of the extension, or that
 * and a dot and more. Mail is one. Found when the application starts; two of one name stop it.
 *
 * @example
 * ```ts
 * \@NotificationChannel('chat')
 * export class ChatChannel implements NotificationChannelProvider {
 *   async notify({ requests }: ApprovalNotice, { signal }: { signal: AbortSignal }): Promise<void> {
 *     const text = requests.map(({ summary, approveUrl }) => `${summary} ${approveUrl}`).join('\n');
 *     await this.outbound.fetch(this.url, { method: 'POST', body: JSON.stringify({ text }), signal });
 *   }
 * }
 * ```
 */
export const NotificationChannel = DiscoveryService.createDecorator<string>();
