import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconSearch from 'icon:search';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

interface SearchFieldProps extends Pick<TextInputProps, 'size' | 'placeholder' | 'w' | 'maxLength'> {
  label: string;
  q: string;
  onQ: (q: string) => void;
}

/** The address follows what is typed after a short pause; what is typed follows the address when it changes by itself. */
export function SearchField({ label, q, onQ, ...rest }: SearchFieldProps) {
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text;
    onQ(text);
  }, PAUSE_MS);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);
  const change = (text: string): void => {
    setTyped(text);
    send(text.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} /> : null
      }
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      {...rest}
    />
  );
}
