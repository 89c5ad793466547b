import type { CheckRequest } from '#engine';
import type { Questions } from '../data-set.ts';
import type { Random } from '../random.ts';
import type { DriveAccess } from './drive-access.ts';
import type { DriveShape } from './drive-shape.ts';

/** Finding out what a user can view costs more than asking about it: each has several pages. */
const PAGES_PER_USER = 5;

/**
 * Questions as a page of a list asks them: a run of documents for one user, half of which the user can view. No
 * question comes twice. Throws where too few users can view enough.
 */
export function pageQuestions(
  shape: DriveShape,
  access: DriveAccess,
  random: Random,
  size: { readonly pages: number; readonly perPage: number },
): Questions {
  const requests: CheckRequest[] = [];
  const expected: number[] = [];
  const users = Array.from({ length: shape.users }, (_, user) => user);
  const half = size.perPage / 2;
  for (let pages = 0; pages < size.pages; ) {
    const user = takeOne(users, random);
    const viewable = access.viewable(user);
    const seen = new Set<number>();
    for (let page = 0; page < PAGES_PER_USER && viewable.length >= half && pages < size.pages; page++, pages++) {
      const documents = Array.from({ length: half }, () => takeOne(viewable, random));
      while (documents.length < size.perPage) {
        const document = random.below(shape.documents);
        if (seen.has(document) || access.canView(document, user)) continue;
        seen.add(document);
        documents.push(document);
      }
      const isAllowed = new Set(documents.slice(0, half));
      while (documents.length > 0) {
        const document = takeOne(documents, random);
        requests.push({ object: `document:d${document}`, relation: 'can_view', subject: `user:u${user}` });
        expected.push(isAllowed.has(document) ? 1 : 0);
      }
    }
  }
  return { requests, expected: Uint8Array.from(expected) };
}

/** A random one, which is then no longer among them. */
function takeOne(numbers: number[], random: Random): number {
  if (numbers.length === 0) throw new Error('the drive has too few users who can view enough');
  const place = random.below(numbers.length);
  const taken = numbers[place] as number;
  numbers[place] = numbers.at(-1) as number;
  numbers.pop();
  return taken;
}
