export {
  mailProblems,
  type OrganizationMail,
  OrganizationMailer,
  type OrganizationMailParts,
} from './mail/organization-mailer.ts';
export { initialSettings, readSettings, type Settings } from './truth/settings.ts';
