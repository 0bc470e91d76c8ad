/** Where an S3-compatible store is. null: Amazon's own, found by the region. */
interface S3Place {
  endpoint: string | null;
  region: string;
}

/** How any of them is spoken to: path-style addresses at a given endpoint, and no checksum extensions there. */
export function s3ClientOptions({ endpoint, region }: S3Place) {
  const agent = { keepAlive: true, maxSockets: 256 };
  // Slow readers of a download are no reason to give up, so a socket may rest for minutes; a response may not.
  const requestHandler = {
    connectionTimeout: 5_000,
    requestTimeout: 60_000,
    throwOnRequestTimeout: true,
    socketTimeout: 300_000,
    httpAgent: agent,
    httpsAgent: agent,
  };
  if (endpoint === null) return { region, requestHandler };
  return {
    region,
    requestHandler,
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
  };
}
