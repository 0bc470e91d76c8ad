import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { LOCALE } from '../locale.js';
import { ProblemNotice } from '../problem-notice.js';
import { parseCsv } from './csv.js';
import { DataTable } from './data-table.js';
import { type ShownFile, fileContent } from './file-content.js';
import { fileKind, pictureType } from './file-kind.js';
import classes from './output.module.css';

const MOST_RECORDS = 5_000;
const MOST_TEXT = 500_000;
/** More is not read into the page only to look at it. */
export const MOST_PREVIEWED = 10_000_000;

/** The content of a file, in the page: a picture, a table or text. It is never run or navigated to. */
export function FilePreview({ file }: { file: ShownFile }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['fileContent', file.id],
    queryFn: () => fileContent(file),
    staleTime: Infinity,
  });
  if (isPending) return <Skeleton height={160} />;
  if (error) return <ProblemNotice error={error} onRetry={refetch} title="The file cannot be read" />;
  const kind = fileKind(file);
  if (kind === 'picture') return <Picture file={file} bytes={data} />;
  const text = new TextDecoder().decode(data);
  if (kind === 'csv') return <CsvTable name={file.name} text={text} />;
  return (
    <pre className={`${classes['text']} user-text`} tabIndex={0} aria-label={file.name}>
      {text.slice(0, MOST_TEXT)}
      {text.length > MOST_TEXT && `\n… ${(text.length - MOST_TEXT).toLocaleString(LOCALE)} more characters`}
    </pre>
  );
}

/** As an image even an SVG runs no script and loads nothing. */
function Picture({ file, bytes }: { file: ShownFile; bytes: ArrayBuffer }) {
  const [address, setAddress] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: pictureType(file) ?? '' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, file]);
  if (isBroken)
    return <Text size="sm">This is not a picture that the browser can show. Download it instead.</Text>;
  return <img className={classes['picture']} src={address} alt={file.name} onError={() => setBroken(true)} />;
}

function CsvTable({ name, text }: { name: string; text: string }) {
  const [columns = [], ...rows] = useMemo(() => parseCsv(text, MOST_RECORDS), [text]);
  return <DataTable label={name} columns={columns} rows={rows} />;
}
