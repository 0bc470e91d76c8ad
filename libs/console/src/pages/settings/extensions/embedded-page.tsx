import type { EmbeddedPage as Declared } from '@gatehouse/client/operations';
import { useEffect, useRef, useState } from 'react';

import { basePath } from '../../../api/base.js';
import { relayed } from './relay.js';

const LOWEST = 120;
/** A page that says it is higher has to be scrolled. */
const HIGHEST = 4_000;

interface Message {
  gatehouse?: unknown;
  type?: unknown;
  id?: unknown;
  height?: unknown;
}

/**
 * A page of an extension in a frame without an origin: it sees nothing of this one, and asks for requests by messages.
 * `allow-same-origin` would give it the session, and is never to be added.
 */
export function EmbeddedPage({ title, embedded }: { title: string; embedded: Declared }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LOWEST);

  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<Message | null>): void => {
      const page = frame.current?.contentWindow;
      if (!page || source !== page || typeof data !== 'object' || data?.gatehouse !== 1) return;
      if (data.type === 'height') {
        const wanted = Math.ceil(Number(data.height)) || LOWEST;
        setHeight(Math.min(Math.max(wanted, LOWEST), HIGHEST));
      }
      if (data.type !== 'request' || typeof data.id !== 'number') return;
      const { id } = data;
      // The frame has no origin that could be named; who is in it is settled by its window and the page's policy.
      void relayed(data, embedded.routes).then((told) => page.postMessage({ id, ...told }, '*'));
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [embedded]);

  return (
    <iframe
      ref={frame}
      title={title}
      src={`${basePath}${embedded.address}`}
      sandbox="allow-scripts allow-forms"
      referrerPolicy="no-referrer"
      height={height}
      style={{ width: '100%', border: 0 }}
    />
  );
}
