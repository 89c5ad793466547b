export {
  mailProblems,
  type OrganizationMail,
  OrganizationMailer,
  type OrganizationMailParts,
} from './mail/organization-mailer.ts';
export { profileEndpoints } from './profile/profile-endpoints.ts';
export { settingsEndpoints } from './settings-endpoints.ts';
export { initialSettings, readSettings, type Settings } from './truth/settings.ts';
export type { SettingsParts } from './write/settings-service.ts';
