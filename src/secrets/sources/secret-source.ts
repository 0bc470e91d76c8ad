import { DiscoveryService } from '@nestjs/core';

/** Whose a secret is, and where. */
export interface SecretPlace {
  workspace: { id: string; slug: string };
  /** Where the run is that needs it, or the value that is set. */
  environment: { id: string; name: string };
}

/** A secret whose value is read from elsewhere. */
export interface SourcedSecret extends SecretPlace {
  /** Its name in the workspace, such as `STRIPE_KEY`. */
  name: string;
  /**
   * Which value it is, in the source's own words: one line of up to 500 characters. An owner or admin of the workspace chose it,
   * so a source of several workspaces keeps each to what is its own.
   */
  reference: string;
}

/** What a form says of a source. */
export interface SecretSourceDescription {
  /** Such as `Vault`. */
  title: string;
  /** What a reference is, in a sentence or two. */
  reference: string;
  /** One that could be. */
  example?: string;
}

/** What a class marked with `@SecretSource(name)` looks like. */
export interface SecretSourceProvider {
  /** How people choose it. Left out: by its name alone. */
  describe?(place: SecretPlace): SecretSourceDescription;

  /** What is wrong with a reference, such as `must be a path and a field`, for whoever names it; null: nothing. */
  referenceProblem?(reference: string, place: SecretPlace): string | null;

  /**
   * The value as it is now: text of 1 to 65,536 bytes. Called when a run starts that needs it, and for each run anew; it is stored
   * nowhere. It has 10 seconds.
   *
   * @param options `signal` is aborted when the time is up
   * @throws ProblemError, such as Unavailable, whose message everybody reads who may see the run: never put a secret in it.
   * Of any other error the run says only that there was one, and the log its class and place
   */
  read(secret: SourcedSecret, options: { signal: AbortSignal }): Promise<string>;
}

/**
 * Marks a provider as a place from which secrets are read, by its name: that of the extension, or that and a dot and more.
 * Found when the application starts; two of one name stop it.
 *
 * @example
 * ```ts
 * \@SecretSource('vault')
 * export class Vault implements SecretSourceProvider {
 *   async read({ workspace, reference }: SourcedSecret, { signal }: { signal: AbortSignal }): Promise<string> {
 *     const response = await this.outbound.fetch(this.urlOf(workspace.id, reference), { headers: this.headers, signal });
 *     if (!response.ok) throw new Unavailable(`Vault responded ${response.status}.`);
 *     return valueOf(await response.json());
 *   }
 * }
 * ```
 */
export const SecretSource = DiscoveryService.createDecorator<string>();
