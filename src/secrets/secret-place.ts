/** Where a value belongs. */
export interface SecretPlace {
  workspaceId: string;
  secretId: string;
  environmentId: string;
  hosts: readonly string[];
}

/**
 * What a sealed value is bound to. The hosts are part of it: whoever can write to the database, but has no key, can
 * neither move a value to another secret nor send it to a host of their own.
 */
export function placeOf({ workspaceId, secretId, environmentId, hosts }: SecretPlace): string[] {
  return [workspaceId, secretId, environmentId, ...hosts];
}
