import type { OwnField } from '../../../directory/users/index.ts';

/** What the fields of a profile are called. */
export const labels = {
  name: 'account.displayName',
  givenName: 'account.givenName',
  familyName: 'account.familyName',
  picture: 'account.picture',
  phoneNumber: 'account.phone',
  locale: 'account.language',
  zoneinfo: 'account.zone',
} as const satisfies Readonly<Record<OwnField, string>>;

/** What is said where one is not as it must be. */
export const wanted = {
  name: 'account.wantsLine',
  givenName: 'account.wantsLine',
  familyName: 'account.wantsLine',
  picture: 'account.wantsPicture',
  phoneNumber: 'account.wantsPhone',
  locale: 'account.wantsLanguage',
  zoneinfo: 'account.wantsZone',
} as const satisfies Readonly<Record<OwnField, string>>;

export const ownNames = Object.keys(labels) as OwnField[];

/** What was typed into fields of a profile. */
export type Texts = { readonly [Name in OwnField]?: string | undefined };
