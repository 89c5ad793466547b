export { mailProblems, OrganizationMailer } from './mail/organization-mailer.ts';
export { profileEndpoints } from './profile/profile-endpoints.ts';
export { settingsEndpoints } from './settings-endpoints.ts';
export { OrganizationSms } from './sms/organization-sms.ts';
export { markupFault } from './text/markup.ts';
export { styleSheetFault } from './text/style-sheet.ts';
export { mfaRequiredSince, readSettings, type Settings, settingsRecords } from './truth/settings.ts';
