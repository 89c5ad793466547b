import type { Module } from '../../kernel/modules/index.ts';
import { profileEndpoints } from './profile/profile-endpoints.ts';
import { settingsEndpoints } from './settings-endpoints.ts';
import { settingsRecords } from './truth/settings.ts';
import type { SettingsDependencies } from './write/write-settings.ts';

export { mailProblems, OrganizationMailer } from './mail/organization-mailer.ts';
export { OrganizationSms } from './sms/organization-sms.ts';
export { resourceUri } from './text/formats.ts';
export { markupFault } from './text/markup.ts';
export { styleSheetFault } from './text/style-sheet.ts';
export type { AssertionIssuer } from './truth/assertion-issuers.ts';
export { isBelieved, mfaRequiredSince, readSettings, type Settings } from './truth/settings.ts';

/** `/admin/settings` and `/admin/profile`, in the shapes of all three families. */
export const settingsModule: Module<SettingsDependencies> = {
  name: 'settings',
  records: [settingsRecords],
  endpoints: (services) => [...settingsEndpoints(services), ...profileEndpoints(services)],
};
