import { slugOfName } from '../../kernel/organizations/index.ts';

const LENGTH_MAX = 60;
const NUMBERED_MAX = 100;

/**
 * A slug for who gave none: the letters and digits of the name, without accents and in lower case. Where it is taken a
 * number follows, and after a hundred of those the permission's own id, which nothing else has.
 */
export function slugFromName(name: string, id: number, isTaken: (slug: string) => boolean): string {
  const plain = slugOfName(name, LENGTH_MAX);
  const slug = plain === '' ? 'permission' : plain;
  if (!isTaken(slug)) return slug;
  for (let count = 2; count <= NUMBERED_MAX; count++) {
    if (!isTaken(`${slug}-${count}`)) return `${slug}-${count}`;
  }
  return `${slug}-p${id}`;
}
