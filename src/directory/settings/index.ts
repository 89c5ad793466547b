export { mailProblems, OrganizationMailer } from './mail/organization-mailer.ts';
export { settingsModule } from './module.ts';
export { OrganizationSms } from './sms/organization-sms.ts';
export { resourceUri } from './text/formats.ts';
export { markupFault } from './text/markup.ts';
export { styleSheetFault } from './text/style-sheet.ts';
export type { AssertionIssuer } from './truth/assertion-issuers.ts';
export { isBelieved } from './truth/believed-issuer.ts';
export { mfaRequiredSince, readSettings, type Settings } from './truth/settings.ts';
