import type { HookReceiptDetail } from '@gatehouse/client/operations';
import { hooksGetReceiptOptions, versionsListOptions } from '@gatehouse/client/react-query';
import { Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { CodeView } from '../../../kit/code-view.js';
import { DialogForm } from '../../../kit/dialog-form.js';
import { HeaderList } from '../../../kit/header-list.js';
import { indentedJson } from '../../../kit/indented-json.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { useAct } from '../../../kit/use-act.js';
import { useReplay } from './use-replay.js';

interface ReceiptDetailProps {
  hookId: string;
  /** Of the script that it starts. */
  slug: string;
  receiptId: string;
  onClose: () => void;
}

/** A request that came in, as far as it is kept, to be run again. */
export function ReceiptDetail(props: ReceiptDetailProps) {
  const path = { id: props.hookId, receiptId: props.receiptId };
  const { data, error, refetch } = useQuery(hooksGetReceiptOptions({ path }));
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={240} aria-hidden />;
  if (data.body === null) return <ReceivedRequest receipt={data} />;
  return <ReplayForm {...props} receipt={data} />;
}

function ReplayForm({
  hookId,
  slug,
  receiptId,
  onClose,
  receipt,
}: ReceiptDetailProps & { receipt: HookReceiptDetail }) {
  const [version, setVersion] = useState<string | null>(null);
  const { data } = useQuery(versionsListOptions({ path: { slug }, query: { limit: 100 } }));
  const replay = useReplay(hookId, receiptId);
  const again = useAct(async () => {
    await replay(version === null ? {} : { version: Number(version) });
    onClose();
  });
  return (
    <DialogForm
      submitLabel="Run again"
      onSubmit={() => void again.run()}
      onCancel={onClose}
      busy={again.busy}
      error={again.problem}
    >
      <ReceivedRequest receipt={receipt} />
      <Select
        label="Version"
        description="A version that you choose is tested, published or not."
        placeholder="The published one"
        clearable
        clearButtonProps={{ 'aria-label': 'The published one' }}
        data={data?.items.map(({ number }) => ({ value: String(number), label: `version ${number}` })) ?? []}
        value={version}
        onChange={setVersion}
      />
    </DialogForm>
  );
}

function ReceivedRequest({
  receipt: { id, headers, query, body, bodyEncoding, reason },
}: {
  receipt: HookReceiptDetail;
}) {
  const isJson = bodyEncoding === 'utf8' && (headers['content-type'] ?? '').includes('json');
  const text = useMemo(() => (body !== null && isJson ? indentedJson(body) : body), [body, isJson]);
  return (
    <Stack gap="xs">
      {reason && (
        <Text size="sm" className="user-text">
          {reason}
        </Text>
      )}
      <Pairs label="Headers" pairs={headers} />
      <Pairs label="Query" pairs={query} />
      {bodyEncoding === 'base64' && (
        <Text size="xs" c="dimmed">
          The body is no text: this is its base64.
        </Text>
      )}
      {text === null ? (
        <Text size="sm">The body of a request that started nothing is not kept.</Text>
      ) : (
        <CodeView text={text} path={isJson ? `${id}.json` : id} label="Body" maxHeight="18rem" />
      )}
    </Stack>
  );
}

function Pairs({ label, pairs }: { label: string; pairs: Record<string, string> }) {
  const headers = Object.entries(pairs).map(([name, value]) => ({ name, value }));
  if (headers.length === 0) return null;
  return (
    <>
      <Title order={3} fz="sm">
        {label}
      </Title>
      <HeaderList label={label} headers={headers} />
    </>
  );
}
