import type { ApprovalRequest, EarlierApproval } from '@gatehouse/client/operations';
import { scriptsDetailOptions, versionsFindOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

import { runInputOf, versionOf } from './approval.js';

/**
 * The version that the request is about, and the one to compare it with: the last that was approved, else the one that
 * runs use now.
 */
export function useVersions(request: ApprovalRequest) {
  const asked = versionOf(request);
  const slug = asked?.slug ?? '';
  const number = asked?.number ?? 0;
  const version = useQuery({
    ...versionsFindOptions({ path: { slug, number } }),
    enabled: asked !== null,
  });
  const script = useQuery({ ...scriptsDetailOptions({ path: { slug } }), enabled: asked !== null });
  const previous = request.previous ?? null;
  const base = previous
    ? (versionOf({ ...request, input: previous.input })?.number ?? null)
    : publishedBefore();
  const baseVersion = useQuery({
    ...versionsFindOptions({ path: { slug, number: base ?? 0 } }),
    enabled: base !== null && base !== number,
  });

  function publishedBefore(): number | null {
    const published = script.data?.publishedVersion ?? null;
    return published === number || request.status !== 'pending' ? null : published;
  }

  return {
    asked,
    script: script.data ?? null,
    version: version.data ?? null,
    /** null where there is none, or it is still being read. */
    before: base === number ? (version.data ?? null) : (baseVersion.data ?? null),
    previous,
    inputsBefore: previous ? inputsOf(request, previous) : null,
    pending: asked !== null && (version.isPending || script.isPending || baseVersion.isLoading),
    error: version.error ?? baseVersion.error,
  };
}

export type Versions = ReturnType<typeof useVersions>;

function inputsOf(request: ApprovalRequest, { input }: EarlierApproval): Record<string, unknown> | null {
  return runInputOf({ ...request, input })?.inputs ?? null;
}
