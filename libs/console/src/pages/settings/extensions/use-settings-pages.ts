import type { SettingsPage } from '@gatehouse/client/operations';
import { settingsPagesListOptions } from '@gatehouse/client/react-query';
import { useQuery } from '@tanstack/react-query';

const NONE: readonly SettingsPage[] = [];

/** The pages that extensions add, of those that the person may use; none until they are known. */
export function useSettingsPages(): readonly SettingsPage[] {
  const { data } = useQuery({ ...settingsPagesListOptions(), staleTime: Infinity });
  return data?.items ?? NONE;
}
