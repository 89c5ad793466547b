export { createUser, registerUser } from './changes/create-user.ts';
export { isDecidedBy } from './changes/deciding-attributes.ts';
export { deleteUser } from './changes/delete-user.ts';
export { judged, putPassword, raced, redeemPasswordReset, requirePasswordChangeable } from './changes/set-password.ts';
export { changeUser, updateUser } from './changes/update-user.ts';
export { aboutUser, userMfaDisabled, userMfaEnabled } from './changes/user-events.ts';
export { redeemEmailVerification } from './changes/verify-email.ts';
export { credentialRecords, noPassword, passwordState } from './credentials/credentials.ts';
export {
  type Factor,
  type FactorEntry,
  type FactorRecord,
  factorRecords,
  type TotpFactor,
  type WebAuthnFactor,
} from './credentials/factor-record.ts';
export { linkOfToken, newLinkToken, userOfLink } from './credentials/links.ts';
export { checkPassword, PasswordHasher } from './credentials/password-hasher.ts';
export { type PersonalTexts, passwordStrength } from './credentials/password-policy.ts';
export type { AssignableViews, Disowned, UserDependencies } from './dependencies.ts';
export { requireUser } from './find-user.ts';
export { usersModule } from './module.ts';
export { pendingEmail, redeemEmailChange, requestEmailChange } from './own/own-email.ts';
export { changeOwnPassword } from './own/own-password.ts';
export { changeOwnProfile, type OwnField, type OwnProfile, ownFields, ownProfileShape } from './own/own-profile.ts';
export { emailSchema } from './profile/email.ts';
export { profileShape } from './profile/profile.ts';
export { keptNames } from './view/named-slugs.ts';
export { userDefinition, userPageAnswer, userPageSchema, userSorts, usersOf } from './view/user-list.ts';
export { userSchema, userView } from './view/user-view.ts';
