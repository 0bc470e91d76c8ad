export const QUEUE_NAME = /^[a-z0-9][a-z0-9-]*$/;
export const QUEUE_NAME_RULE =
  'must be lower-case letters, digits and dashes, beginning with a letter or digit';
