import { client } from '@gatehouse/client';
import { queryOptions } from '@tanstack/react-query';

export interface SecretUse {
  script: { slug: string; name: string };
  version: number;
  /** Those that it may be sent to by this version. */
  hosts: string[];
  /** In which it is sent; null where it is only read. */
  header: string | null;
  /** Whether the script reads it as an environment variable. */
  env: boolean;
}

/** The published versions that use a secret. */
export const secretUsesOptions = (name: string) =>
  queryOptions({
    queryKey: [{ _id: 'secretsUses', name }] as const,
    queryFn: async ({ signal }) => {
      const url = `/v1/workspace/secrets/${encodeURIComponent(name)}/uses`;
      const { data } = await client.get<{ 200: { items: SecretUse[] } }, unknown, true>({
        url,
        signal,
        throwOnError: true,
      });
      return data.items;
    },
  });

/** `sends it to api.stripe.com in the header authorization, and reads it` */
export function usageOf({ hosts, header, env }: SecretUse): string {
  const sends =
    header === null ? null : `sends it to ${hosts.join(', ') || 'no host'} in the header ${header}`;
  const reads = env ? 'reads it as an environment variable' : null;
  return [sends, reads].filter((part) => part !== null).join(', and ');
}
