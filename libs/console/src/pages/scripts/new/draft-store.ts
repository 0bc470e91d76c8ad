import { type Draft, EMPTY_SETTINGS } from './draft.js';

const DATABASE = 'gatehouse-drafts';
const DRAFTS = 'drafts';

/** Drafts of this browser, by key. Files may be larger than what `sessionStorage` holds, so they are in IndexedDB. */
export async function storedDraft(key: string): Promise<Draft | null> {
  const found = await request<unknown>('readonly', (drafts) => drafts.get(key));
  if (!isDraft(found)) return null;
  return { ...found, settings: { ...EMPTY_SETTINGS, ...found.settings }, base: found.base ?? null };
}

export async function storeDraft(key: string, draft: Draft): Promise<void> {
  await request('readwrite', (drafts) => drafts.put(draft, key));
}

export async function forgetDraft(key: string): Promise<void> {
  await request('readwrite', (drafts) => drafts.delete(key));
}

async function request<Result>(
  mode: IDBTransactionMode,
  act: (drafts: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened();
  try {
    const transaction = database.transaction(DRAFTS, mode);
    const asked = act(transaction.objectStore(DRAFTS));
    return await new Promise<Result>((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = transaction.onerror = () => reject(asError(transaction.error));
    });
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(DRAFTS);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = asked.onblocked = () => reject(asError(asked.error));
  });
}

function asError(error: DOMException | null): Error {
  return error ?? new Error('This browser keeps no drafts.');
}

/** What an older version of this page has stored may have another form. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { files, settings, name } = value as Partial<Draft>;
  return Array.isArray(files) && typeof name === 'string' && Array.isArray(settings?.secrets);
}
