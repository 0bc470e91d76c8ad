import type { SecretPlace } from '../../secrets/index.js';
import { fieldProblem, folderOf, parseReference, pathProblem, type StoreReference } from '../store-place.js';

const ARN = /^arn:aws[a-z-]{0,20}:secretsmanager:([a-z0-9-]{1,40}):\d{12}:secret:([^:]+)$/;

interface AwsPlace {
  region: string;
  prefix: string;
}

/** A name below the workspace's folder, or an ARN of what is there; with a field of its JSON, or all of its text. */
export function awsReferenceProblem(reference: string, aws: AwsPlace, place: SecretPlace): string | null {
  const { path, field } = parseReference(reference);
  const problem = path.startsWith('arn:')
    ? arnProblem(path, aws, folderOf(aws.prefix, place))
    : pathProblem(path);
  return problem ?? (field === null ? null : fieldProblem(field));
}

/** What is asked for. The reference has no problem. */
export function awsSecretOf(reference: string, { prefix }: AwsPlace, place: SecretPlace): StoreReference {
  const { path, field } = parseReference(reference);
  return { path: path.startsWith('arn:') ? path : folderOf(prefix, place) + path, field };
}

function arnProblem(arn: string, { region }: AwsPlace, folder: string): string | null {
  const [, there, name] = ARN.exec(arn) ?? [];
  if (name === undefined) return 'must be the ARN of a secret: arn:aws:secretsmanager:…:secret:…';
  if (there !== region) return `must be of the region ${region}`;
  if (!name.startsWith(folder)) return `must be of a secret whose name begins with ${folder}`;
  return pathProblem(name.slice(folder.length));
}
