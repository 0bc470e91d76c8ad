import { Group, Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

/** What is going on, and for how long: an installation may take minutes. */
export function StepWords({ words }: { words: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - began) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Group gap="xs" wrap="nowrap">
      <Loader size="xs" aria-hidden />
      <Text size="sm" role="status">
        {words} …
      </Text>
      {seconds > 2 && (
        <Text size="sm" c="dimmed" aria-hidden>
          {seconds} s
        </Text>
      )}
    </Group>
  );
}
