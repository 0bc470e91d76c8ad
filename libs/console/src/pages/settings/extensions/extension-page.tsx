import { settingsPagesListOptions } from '@gatehouse/client/react-query';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';

import { Page } from '../../../kit/page.js';
import { ProblemNotice } from '../../../kit/problem-notice.js';
import { EmbeddedPage } from './embedded-page.js';
import { SettingsForm } from './settings-form.js';

/** A page of an extension, by the name that the address has. */
export function ExtensionPage() {
  const { page: name } = useParams({ strict: false });
  const { data, isPending, error, refetch } = useQuery({
    ...settingsPagesListOptions(),
    staleTime: Infinity,
  });
  const page = data?.items.find((one) => one.name === name);
  if (isPending) return <Skeleton height={280} aria-hidden />;
  if (error) return <ProblemNotice error={error} onRetry={refetch} />;
  if (!page) {
    return (
      <Page title="There is no such page">
        <Text>Its extension is not here any more, or your role does not open it.</Text>
      </Page>
    );
  }
  return (
    <Page title={page.title} description={page.description}>
      {page.form && <SettingsForm key={page.name} form={page.form} />}
      {page.embedded && <EmbeddedPage key={page.name} title={page.title} embedded={page.embedded} />}
    </Page>
  );
}
