import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import IconSearch from 'icon:search';
import { Suspense, useState } from 'react';

import { lazily } from '../kit/lazily.js';
import { useKeys } from './use-keys.js';

const Palette = lazily(() => import('./palette.js'));

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const KeysDialog = lazily(() => import('./keys-dialog.js'));

/** Opens the palette, by click or by Ctrl K, and the list of keys; each is loaded when it is first opened. */
export function PaletteButton() {
  const [loaded, setLoaded] = useState(false);
  const [opened, setOpened] = useState(false);
  const [keysOpened, setKeysOpened] = useState<boolean | null>(null);
  const open = (): void => {
    setLoaded(true);
    setOpened(true);
  };
  useHotkeys([['mod+K', open]], []);
  useKeys({ onHelp: () => setKeysOpened(true), onPalette: open });

  return (
    <>
      <UnstyledButton onClick={open} visibleFrom="sm" c="dimmed" fz="sm">
        Search <Kbd>{isApple ? '⌘' : 'Ctrl'}</Kbd> <Kbd>K</Kbd>
      </UnstyledButton>
      <ActionIcon
        onClick={open}
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Search and act"
      >
        <IconSearch aria-hidden />
      </ActionIcon>
      {loaded && (
        <Suspense>
          <Palette opened={opened} onClose={() => setOpened(false)} onKeys={() => setKeysOpened(true)} />
        </Suspense>
      )}
      {keysOpened !== null && (
        <Suspense>
          <KeysDialog opened={keysOpened} onClose={() => setKeysOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
