/** Where a value belongs. */
interface SecretPlace {
  workspaceId: string;
  secretId: string;
  environmentId: string;
  hosts: readonly string[];
  /** Where the value is read from; null: it is what is sealed. */
  source: string | null;
}

/**
 * What a sealed value is bound to. The hosts are part of it. Whoever can write to the database but has no key cannot
 * move a value to another secret, send it to a host of their own, or have another value read in its place.
 */
export function placeOf({ workspaceId, secretId, environmentId, hosts, source }: SecretPlace): string[] {
  return [workspaceId, secretId, environmentId, ...hosts, ...(source === null ? [] : [`source:${source}`])];
}
