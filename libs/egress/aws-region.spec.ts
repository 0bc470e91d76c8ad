import { describe, expect, it } from 'vitest';
import { regionOfHost } from './aws-region.js';

describe('regionOfHost', () => {
  it.each([
    ['s3.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['bucket.s3.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['us-east-1.s3.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['bucket.s3.dualstack.ap-southeast-3.amazonaws.com', 'ap-southeast-3'],
    ['bucket.s3-us-west-2.amazonaws.com', 'us-west-2'],
    ['s3-fips-us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    ['123456789012.s3-control.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['sqs.eu-west-1.amazonaws.com', 'eu-west-1'],
    ['eu-west-1.queue.amazonaws.com', 'eu-west-1'],
    ['search-x.us-east-1.es.amazonaws.com', 'us-east-1'],
    ['123.dkr.ecr.us-east-2.amazonaws.com', 'us-east-2'],
    ['x.execute-api.us-east-1.amazonaws.com', 'us-east-1'],
    ['x.lambda-url.eu-central-1.on.aws', 'eu-central-1'],
    ['sqs.eu-west-1.api.aws', 'eu-west-1'],
    ['sts.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
    ['s3.amazonaws.com', null],
    ['us-east-1.s3.amazonaws.com', null],
    ['bucket.s3-accelerate.amazonaws.com', null],
    ['iam.amazonaws.com', null],
    ['s3.eu-west-1.example.com', null],
    ['s3.eu-west-1.amazonaws.com.evil.test', null],
    ['localhost', null],
  ])('%s', (host, region) => {
    expect(regionOfHost(host)).toBe(region);
  });
});
