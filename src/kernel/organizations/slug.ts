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
