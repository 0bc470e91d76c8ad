import { type Run, runLogContent, runLogRead } from '@gatehouse/client/operations';
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import IconDownload from 'icon:download';
import { useState } from 'react';

import { counted } from '../../../kit/counted.js';
import { notifyProblem } from '../../../kit/notify.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { plainLine } from '../../../kit/run-log/ansi-parts.js';
import { saveAs } from '../../../kit/save-as.js';
import { SearchField } from '../../../kit/search-field.js';
import { sizeText } from '../../../kit/size-text.js';

const AT_ONCE = 100;

interface WholeLogProps {
  runId: string;
  whole: NonNullable<Run['wholeLog']>;
}

/** All of a log that is too long for the page: to be downloaded, and searched. */
export function WholeLog({ runId, whole: { bytes, missingLines } }: WholeLogProps) {
  const [q, setQ] = useState('');
  const saving = useMutation({
    mutationFn: async () => {
      const { data } = await runLogContent({ path: { runId }, parseAs: 'blob' });
      saveAs(data as unknown as Blob, `${runId}.log`);
    },
    onError: notifyProblem,
  });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Not all of its lines are shown.
          {missingLines > 0 && ` ${counted(missingLines, 'line')} could not be kept.`}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          The whole log, {sizeText(bytes)}
        </Button>
        <SearchField
          label="Search the whole log"
          placeholder="Search the whole log"
          size="xs"
          maxLength={200}
          q={q}
          onQ={setQ}
        />
      </Group>
      {q !== '' && <FoundLines runId={runId} q={q} />}
    </Stack>
  );
}

function FoundLines({ runId, q }: { runId: string; q: string }) {
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['whole-log', runId, q],
    queryFn: async ({ pageParam: after, signal }) =>
      (await runLogRead({ path: { runId }, query: { q, after, limit: AT_ONCE }, signal })).data,
    initialPageParam: 0,
    getNextPageParam: ({ lines, next, more }) => (lines.length === AT_ONCE || more ? next : undefined),
  });
  if (error) return <ProblemNotice error={error} title="The log cannot be searched" />;
  const found = data?.pages.flatMap(({ lines, numbers = [] }) =>
    lines.map((line, place) => ({ line, number: (numbers[place] ?? 0) + 1 })),
  );
  return (
    <>
      <Text size="sm" c="dimmed" aria-live="polite">
        {isPending
          ? 'Searching …'
          : `${counted(found?.length ?? 0, 'line')} found${hasNextPage ? ' so far' : ''}`}
      </Text>
      {found && found.length > 0 && (
        <Table.ScrollContainer minWidth={0} mah={420}>
          <Table fz="xs" verticalSpacing={2} aria-label="Lines of the whole log">
            <Table.Tbody>
              {found.map(({ number, line }) => (
                <Table.Tr key={number}>
                  <Table.Td ta="right" c="dimmed">
                    {number}
                  </Table.Td>
                  <Table.Td ff="monospace" className="user-text" w="100%">
                    {plainLine(line)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasNextPage && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            loading={isFetching}
            onClick={() => void fetchNextPage()}
          >
            Search on
          </Button>
        </Group>
      )}
    </>
  );
}
