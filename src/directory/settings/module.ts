import type { Module } from '../../kernel/modules/index.ts';
import { profileEndpoints } from './profile/profile-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';
import { settingsRecords } from './truth/settings.ts';
import type { SettingsParts } from './write/settings-service.ts';

/** `/admin/settings` and `/admin/profile`, in the shapes of all three families. */
export const settingsModule: Module<SettingsParts> = {
  name: 'settings',
  records: [settingsRecords],
  endpoints: (services) => [...settingsEndpoints(services), ...profileEndpoints(services)],
};
