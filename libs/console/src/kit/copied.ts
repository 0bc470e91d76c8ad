import { notifyDone, notifyProblem } from './notify.js';

/** Copies something short, and says so. */
export async function copied(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone(`${text} is copied.`);
  } catch {
    notifyProblem(new Error(`This browser does not let the page copy. It is ${text}.`));
  }
}
