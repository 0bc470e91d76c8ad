const AWS_NAME = /\.(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws|on\.aws)$/;
/** Such as `eu-west-1` or `us-gov-east-1`, in older names of S3 after its own. */
const REGION = /^(?:s3-(?:fips-)?)?([a-z]{2}(?:-[a-z]+)+-\d{1,2})$/;
/** Left of it are names of buckets, which may look like anything. */
const S3 = /^s3(?:-|$)/;

/**
 * The region that a host's name says it is in: `eu-west-1` for `bucket.s3.eu-west-1.amazonaws.com`.
 *
 * @returns null for a host of no region, or not of AWS
 */
export function regionOfHost(host: string): string | null {
  if (!AWS_NAME.test(host)) return null;
  const labels = host.replace(AWS_NAME, '').split('.').reverse();
  for (const label of labels) {
    const region = REGION.exec(label)?.[1];
    if (region !== undefined) return region;
    if (S3.test(label)) return null;
  }
  return null;
}
