export { redeemPasswordReset } from './changes/set-password.ts';
export { redeemEmailVerification } from './changes/verify-email.ts';
export { PasswordHasher } from './credentials/password-hasher.ts';
export { userEndpoints } from './endpoints/endpoints.ts';
export type { GivenViews, UserParts } from './parts.ts';
export { Members } from './view/members.ts';
export { userDefinition, userSorts, userWork } from './view/user-list.ts';
export { NamedSlugs, userSchema, userView } from './view/user-view.ts';
