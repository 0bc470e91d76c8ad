import { normalText } from '../../../libs/normal-text/index.js';

/** Under which a text is found where upper and lower case are the same. */
export function textKey(text: string): string {
  return normalText(text, 'NFC').toLowerCase();
}
