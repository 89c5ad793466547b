import { FAMILY_NAMES } from '../../data/people/names.ts';
import { groupName, type People, roleSlug } from '../../data/people/people.ts';
import type { ExpectedPage, Item, ListCase } from './list-case.ts';

/** The largest page of the administration's lists. */
export const PAGE = 100;

/** Lists of users. */
export function userCases(people: People): ListCase[] {
  return [...pageCases(people), ...searchCases(people), ...filterCases(people)];
}

/** Everybody, in one order or another. */
function pageCases({ persons, userIds }: People): ListCase[] {
  const all = page(persons.length);
  const deep = deepPage(persons.length);
  const onDeepPage = isOneOf(userIds.slice((deep - 1) * PAGE, deep * PAGE));
  const byEmail = { ...all, order: { by: 'email', descending: false } };
  const byLogin = { ...all, order: { by: 'lastLoginAt', descending: false } };
  return [
    userCase('first page', '', all),
    userCase(`page ${deep}`, `&page=${deep}`, { ...all, each: onDeepPage }),
    userCase('sorted by email', '&sortBy=email', byEmail),
    userCase(`sorted by email, page ${deep}`, `&sortBy=email&page=${deep}`, byEmail),
    userCase('sorted by last login', `&sortBy=lastLoginAt&page=${Math.ceil(deep / 2)}`, byLogin),
  ];
}

function searchCases(people: People): ListCase[] {
  const { persons, userIds } = people;
  const one = (turn: number): number => (turn * 48_611) % persons.length;
  const names = FAMILY_NAMES.map((name) => name.toLowerCase());
  const namesakes = namesakesOf(people);
  const found = names.map((word) => namesakes.reduce((sum, { text, all }) => sum + (text.includes(word) ? all : 0), 0));
  const foundActive = names.map((word) =>
    namesakes.reduce((sum, { text, active }) => sum + (text.includes(word) ? active : 0), 0),
  );
  const isActive = ({ blocked }: Item): boolean => blocked === false;
  return [
    {
      name: 'users, search that finds one',
      turn: (turn) => ({
        path: usersPath(`&search=${encodeURIComponent(persons[one(turn)]?.email ?? '')}`),
        expected: { total: 1, items: 1, each: ({ id }) => id === userIds[one(turn)] },
      }),
    },
    {
      name: 'users, search that finds many',
      turn: (turn) => ({
        path: usersPath(`&search=${names[turn % names.length]}`),
        expected: searched(names[turn % names.length] as string, found[turn % names.length] as number),
      }),
    },
    {
      name: 'users, search, filter and order at once',
      turn: (turn) => ({
        path: usersPath(`&search=${names[turn % names.length]}&blocked=false&sortBy=email&sortOrder=desc`),
        expected: {
          ...searched(names[turn % names.length] as string, foundActive[turn % names.length] as number),
          each: isActive,
          order: { by: 'email', descending: true },
        },
      }),
    },
  ];
}

function filterCases(people: People): ListCase[] {
  const { shape, persons } = people;
  const assignees = new Array<number>(shape.size.roles).fill(0);
  for (const user of persons.keys())
    for (const role of shape.rolesOf(user)) assignees[role] = (assignees[role] ?? 0) + 1;
  const role = (turn: number): number => 1 + (turn % (shape.size.roles - 1));
  const members = page(people.count((_, user) => shape.isInFirstGroup(user)));
  const blocked = page(people.count(({ isBlocked }) => isBlocked));
  return [
    userCase('who is blocked', '&blocked=true', { ...blocked, each: (item) => item.blocked === true }),
    {
      name: 'users, who has a role',
      turn: (turn) => ({
        path: usersPath(`&role=${roleSlug(role(turn))}`),
        expected: {
          ...page(assignees[role(turn)] as number),
          each: (item) => has(item, 'roles', roleSlug(role(turn))),
        },
      }),
    },
    userCase('who has the role of all', `&role=${roleSlug(0)}`, page(persons.length)),
    userCase('who is in the large group', `&group=${groupName(0)}`, {
      ...members,
      each: (item) => has(item, 'groups', groupName(0)),
    }),
  ];
}

function userCase(name: string, query: string, expected: ExpectedPage): ListCase {
  return { name: `users, ${name}`, turn: () => ({ path: usersPath(query), expected }) };
}

function usersPath(query: string): string {
  return `/admin/users?limit=${PAGE}${query}`;
}

/** The nine hundredth, where there are as many; else the last one that is full. */
export function deepPage(count: number): number {
  return Math.min(900, Math.max(1, Math.floor(count / PAGE)));
}

export function page(total: number): ExpectedPage {
  return { total, items: Math.min(PAGE, total) };
}

/** Of a search for more than so many characters, so many are counted. */
const EXACT_LENGTH_MAX = 3;
const COUNTED_MAX = 10_000;

function searched(word: string, total: number): ExpectedPage {
  return page(word.length <= EXACT_LENGTH_MAX ? total : Math.min(total, COUNTED_MAX));
}

/** Whether this item of a list is in a role or a group. */
export function has(item: Item, kind: 'roles' | 'groups', slug: string): boolean {
  return (item[kind] as readonly { readonly slug: string }[]).some((each) => each.slug === slug);
}

function isOneOf(ids: readonly string[]): (item: Item) => boolean {
  const known = new Set(ids);
  return ({ id }) => known.has(id as string);
}

/** Those of one name: what is searched of them differs in digits alone. */
interface Namesakes {
  readonly text: string;
  all: number;
  active: number;
}

function namesakesOf({ persons }: People): Namesakes[] {
  const found = new Map<string | undefined, Namesakes>();
  for (const { email, name, isBlocked } of persons) {
    const known = found.get(name) ?? { text: `${email}\n${name}`.toLowerCase(), all: 0, active: 0 };
    found.set(name, known);
    known.all++;
    if (!isBlocked) known.active++;
  }
  return [...found.values()];
}
