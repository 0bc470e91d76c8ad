/** Stands for the secret in a header's value. */
export const PLACEHOLDER = '{secret}';

/** `{base64:user:{secret}}`: what is in it is encoded once the secret is in its place. */
const ENCODED = /\{base64:((?:[^{}]|\{secret\})*)\}/g;

/** A header's value with the secret in it. The secret's own text is never read as a template. */
export function filled(template: string, value: string): string {
  return template
    .split(ENCODED)
    .map((part, place) => {
      const text = part.replaceAll(PLACEHOLDER, () => value);
      return place % 2 === 0 ? text : base64(text);
    })
    .join('');
}

/** The texts that a template encodes, with the secret in them, as they are and encoded. */
export function encodedTexts(template: string, value: string): string[] {
  return [...template.matchAll(ENCODED)].flatMap(([, inner]) => {
    const text = inner!.replaceAll(PLACEHOLDER, () => value);
    return [text, base64(text)];
  });
}

/** Why a text is no template, or null. */
export function templateProblem(template: string): string | null {
  if (!template.includes(PLACEHOLDER)) {
    return `must contain ${PLACEHOLDER}, which the secret takes the place of`;
  }
  const rest = template.replace(ENCODED, '');
  if (rest.includes('{base64:')) {
    return `has a {base64:…} that does not end, or holds braces other than ${PLACEHOLDER}`;
  }
  const lacksSecret = [...template.matchAll(ENCODED)].some(([, inner]) => !inner!.includes(PLACEHOLDER));
  return lacksSecret ? `has a {base64:…} without ${PLACEHOLDER} in it` : null;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
