import { z } from 'zod';
import type { UserRecord } from '../../records/index.ts';

const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');

const optional = (schema: z.ZodType<string>) => schema.nullable().optional();

/** Fields of a profile that a caller can write; `null` clears one. */
export const profileShape = {
  username: optional(line(128)),
  name: optional(line(200)),
  givenName: optional(line(200)),
  familyName: optional(line(200)),
  picture: optional(z.string().max(2048).refine(isWebUrl, 'must be an http or https URL')).describe('URL'),
  phoneNumber: optional(z.string().regex(/^\+?[0-9][0-9 ().-]{2,31}$/, 'must be a telephone number')),
  title: optional(line(200)),
  locale: optional(z.string().regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,6}$/, 'must be a language tag')),
  zoneinfo: optional(z.string().max(64).refine(isTimeZone, 'must be the name of a time zone')).describe(
    'Name of a time zone, such as Europe/Berlin',
  ),
};

/**
 * The same as administrators write it: an empty text, which the org family shows, clears as null does. An enumeration,
 * because generated clients take no other text beside a literal.
 */
export const writtenProfileShape = Object.fromEntries(
  Object.entries(profileShape).map(([name, schema]) => [name, z.union([z.enum(['']), schema])]),
) as unknown as typeof profileShape; // the same names, each of which takes one text more

const names = Object.keys(profileShape) as (keyof typeof profileShape)[];

export type Profile = { readonly [Name in keyof typeof profileShape]?: string | null | undefined };

/** The record with the fields that `profile` sets. */
export function withProfile(record: UserRecord, profile: Profile): UserRecord {
  const changed: Record<string, unknown> = { ...record };
  for (const name of names) {
    const value = profile[name];
    if (value === null || value === '') delete changed[name];
    else if (value !== undefined) changed[name] = value;
  }
  // only fields of the profile, which are all optional texts, were touched
  return changed as unknown as UserRecord;
}

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) return false;
  return URL.canParse(text);
}

function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
