import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';

import { openWhatWaits } from '../kit/dialogs-ready.js';

/** Where questions and notices appear. Loaded after the first page: nothing asks or tells before somebody acts. */
export default function Overlays() {
  useEffect(openWhatWaits, []);
  return (
    <>
      <ModalsProvider>{null}</ModalsProvider>
      {/* At the top they would cover what a page offers to do. */}
      <Notifications position="bottom-right" />
    </>
  );
}
