/** How a version attaches a secret to its requests. */
export interface SecretUse {
  /** Of the version's hosts, those that it may go to. */
  hosts: string[];
  /** Empty: it is in no request, the gate signs in with it. */
  header: string;
  /** The header's value; `{secret}` is replaced by the secret. */
  value: string;
}

/** What a version asks of secrets: by name, what is attached to requests and what its code reads. */
export interface SecretUses {
  secrets: Record<string, SecretUse>;
  env: readonly string[];
}
