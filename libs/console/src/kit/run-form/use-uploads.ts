import { useEffect, useRef, useState } from 'react';

import { isProblem } from '../../api/problem.js';
import { upload } from './upload.js';

export interface Upload {
  key: number;
  name: string;
  size: number;
  /** From 0 to 1. */
  share: number;
  problem: unknown;
  stop: () => void;
}

/** Files on their way to the service. One that has arrived is told and is in the list no more. */
export function useUploads(onArrived: (file: { id: string; name: string; size: number }) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const running = useRef(new Set<AbortController>());
  const next = useRef(0);
  const arrived = useRef(onArrived);
  useEffect(() => {
    arrived.current = onArrived;
  });
  useEffect(() => {
    const all = running.current;
    return () => all.forEach((abort) => abort.abort());
  }, []);

  const change = (key: number, fields: Partial<Upload>): void =>
    setUploads((list) => list.map((entry) => (entry.key === key ? { ...entry, ...fields } : entry)));
  const remove = (key: number): void => setUploads((list) => list.filter((entry) => entry.key !== key));

  const start = async (file: File): Promise<void> => {
    const key = next.current++;
    const abort = new AbortController();
    running.current.add(abort);
    const stop = (): void => (abort.abort(), remove(key));
    setUploads((list) => [...list, { key, name: file.name, size: file.size, share: 0, problem: null, stop }]);
    try {
      const onProgress = (share: number): void => change(key, { share });
      const stored = await upload(file, { onProgress, signal: abort.signal });
      remove(key);
      arrived.current(stored);
    } catch (problem) {
      if (isProblem(problem, 'aborted')) remove(key);
      else change(key, { problem });
    } finally {
      running.current.delete(abort);
    }
  };
  return { uploads, start: (files: File[]) => files.forEach((file) => void start(file)) };
}
