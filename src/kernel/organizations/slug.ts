import { z } from 'zod';

/** Slugs of organizations, roles, groups and permissions. */
export const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export const slugSchema: z.ZodType<string> = z
  .string()
  .regex(slugPattern, 'must be 1 to 128 letters, digits, ".", "_", ":" or "-", beginning with a letter or digit');

/** An organization's slug stands in host-independent paths and in file names of exports: no colon there. */
export const organizationSlugSchema: z.ZodType<string> = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, ".", "_" or "-", beginning with a letter or digit',
  );

/** Letters that are not another letter with an accent: they stay whole when accents are taken off. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A slug made of a name: `Größe (EMEA)` is `grosse-emea`. Empty where no character of it can stand in one. */
export function slugOfName(name: string, lengthMax: number): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => spelled[letter] as string)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, lengthMax)
    .replace(/^-+|-+$/g, '');
}
