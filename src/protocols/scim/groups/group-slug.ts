const SLUG_MAX = 100;

/** A slug for a group that is only known by what people call it: `Sales (EMEA)` is `sales-emea`. */
export function slugFor(displayName: string, isTaken: (slug: string) => boolean): string {
  const plain = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, SLUG_MAX);
  const slug = plain === '' ? 'group' : plain;
  if (!isTaken(slug)) return slug;
  for (let number = 2; ; number++) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`;
}
