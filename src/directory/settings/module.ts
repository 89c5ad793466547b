import type { Module } from '../../kernel/modules/index.ts';
import { profileEndpoints } from './profile/profile-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';
import { settingsRecords } from './truth/settings.ts';
import type { SettingsDependencies } from './write/settings-service.ts';

/** `/admin/settings` and `/admin/profile`, in the shapes of all three families. */
export const settingsModule: Module<SettingsDependencies> = {
  name: 'settings',
  records: [settingsRecords],
  endpoints: (services) => [...settingsEndpoints(services), ...profileEndpoints(services)],
};
