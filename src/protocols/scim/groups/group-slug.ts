import { slugOfName } from '../../../kernel/organizations/index.ts';

const SLUG_MAX = 100;

/** A slug for a group that is only known by what people call it: `Sales (EMEA)` is `sales-emea`. */
export function slugFor(displayName: string, isTaken: (slug: string) => boolean): string {
  const plain = slugOfName(displayName, SLUG_MAX);
  const slug = plain === '' ? 'group' : plain;
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number++) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`;
}
