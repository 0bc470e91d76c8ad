import { Kbd, Modal, Stack, Switch, Table } from '@mantine/core';

import { useLetterKeys } from './use-keys.js';

const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl', 'K'], 'Search and act, also on what is open (⌘ K on a Mac)'],
  [['/'], 'Search the list'],
  [['g', 'h'], 'Home'],
  [['g', 's'], 'Scripts'],
  [['g', 'r'], 'Runs'],
  [['g', 'a'], 'Approvals'],
  [['j'], 'The next row'],
  [['k'], 'The row before'],
  [['x'], 'Choose the row'],
  [['Enter'], 'Open the row'],
  [['r'], 'To “Run” or “Run again”; Enter does it'],
  [['z'], 'To “Undo”, while it is offered; Enter does it'],
  [['Ctrl', 'Enter'], 'Test what is in the editor'],
  [['Ctrl', 'S'], 'Make a version of it'],
  [['?'], 'This list'],
];

/** Which keys there are, and whether those of one letter do anything. */
export default function KeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [areOn, setOn] = useLetterKeys();
  return (
    <Modal title="Keys" opened={opened} onClose={onClose}>
      <Stack>
        <Table aria-label="Keys">
          <Table.Tbody>
            {KEYS.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Td w={110}>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key}
                    </Kbd>
                  ))}
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Keys of one letter"
          description="Switch them off if you speak to your computer, or if a screen reader takes them. This browser keeps that."
          checked={areOn}
          onChange={({ currentTarget }) => setOn(currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
