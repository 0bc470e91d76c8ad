import { type Script, type ScriptVersion, scriptsList, versionsFind } from '@gatehouse/client/operations';
import { queryOptions } from '@tanstack/react-query';

import { type SecretUseForm, secretUseForm } from '../../../kit/secret-use-form.js';

export interface SecretUse {
  script: { slug: string; name: string };
  version: number;
  /** Those that it may be sent to by this version. */
  hosts: string[];
  /** In which it is sent; null where it is only read. */
  header: string | null;
  /** How it goes along; null where it is only read. */
  form: SecretUseForm | null;
  /** Whether the script reads it as an environment variable. */
  env: boolean;
}

/** More scripts than that are not looked into: what each does with it stands in its published version. */
const MOST_SCRIPTS = 25;

/** The published versions that use a secret. */
export const secretUsesOptions = (name: string) =>
  queryOptions({
    queryKey: [{ _id: 'secretsUses', name }] as const,
    queryFn: async ({ signal }): Promise<SecretUse[]> => {
      const { data } = await scriptsList({ query: { secret: name, limit: MOST_SCRIPTS }, signal });
      return Promise.all(
        data.items.map(async (script) => {
          const path = { slug: script.slug, number: script.publishedVersion! };
          return useBy(script, (await versionsFind({ path, signal })).data, name);
        }),
      );
    },
  });

function useBy({ slug, name }: Script, version: ScriptVersion, secret: string): SecretUse {
  const sent = version.secrets[secret];
  return {
    script: { slug, name },
    version: version.number,
    hosts: sent?.hosts ?? [],
    header: sent?.header ?? null,
    form: sent === undefined ? null : secretUseForm(sent),
    env: version.env.includes(secret),
  };
}

/** `sends it to api.stripe.com in the header authorization, and reads it` */
export function usageOf({ hosts, header, form, env }: SecretUse): string {
  const to = hosts.join(', ') || 'no host';
  const uses =
    form === 'aws'
      ? `signs requests to ${to} with it`
      : form === 'signIn'
        ? `signs in to ${to} with it`
        : `sends it to ${to} in the header ${header}`;
  const sends = header === null ? null : uses;
  const reads = env ? 'reads it as an environment variable' : null;
  return [sends, reads].filter((part) => part !== null).join(', and ');
}
