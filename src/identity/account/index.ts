export { accountEndpoints } from './account-endpoints.ts';
export { type AccountVisit, accountEndpoint } from './frame/account-endpoint.ts';
export { AccountForm } from './frame/account-form.tsx';
export { accountPage } from './frame/account-page.tsx';
export { Moment } from './frame/moment.tsx';
export type { AccountParts } from './parts.ts';
