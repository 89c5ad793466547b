import { groupName, type People, roleSlug } from '../../data/people/people.ts';
import type { ExpectedPage, Item, ListCase } from './list-case.ts';
import { actionOf, actorsOf, LOGGED_ACTIONS } from './load-log.ts';
import type { Amounts } from './load-people.ts';
import { clientOf, signedIn, tokensOf } from './load-sessions.ts';
import { deepPage, has, PAGE, page } from './user-cases.ts';

/** Lists of everything but users. */
export function otherCases(people: People, amounts: Amounts, isSmoke: boolean): ListCase[] {
  return [
    ...roleAndGroupCases(people),
    ...memberCases(people, isSmoke),
    ...logCases(people, amounts.auditEntries),
    ...sessionCases(people, amounts),
  ];
}

function same(name: string, path: string, expected: ExpectedPage): ListCase {
  return { name, turn: () => ({ path, expected }) };
}

function roleAndGroupCases(people: People): ListCase[] {
  const { shape } = people;
  const { roles, groups, permissions } = shape.size;
  const assignees = new Map<string, number>();
  const members = new Map<string, number>();
  const count = (counts: Map<string, number>, slug: string) => counts.set(slug, (counts.get(slug) ?? 0) + 1);
  for (const user of people.persons.keys()) {
    for (const role of shape.rolesOf(user)) count(assignees, roleSlug(role));
    for (const group of shape.groupsOf(user)) count(members, groupName(group));
  }
  const isCounted = ({ slug, userCount, isSystem }: Item): boolean =>
    isSystem === true || userCount === (assignees.get(slug as string) ?? 0);
  const areCounted = ({ name, memberCount }: Item): boolean => memberCount === (members.get(name as string) ?? 0);
  const last = Math.max(1, Math.floor(groups / PAGE));
  // one role and some permissions are the system's
  const allRoles = { total: roles + 1, items: Math.min(PAGE, roles + 1), each: isCounted };
  return [
    same('roles with their counts', `/admin/roles?limit=${PAGE}&sortBy=createdAt`, allRoles),
    same('groups with their counts', `/admin/groups?limit=${PAGE}`, { ...page(groups), each: areCounted }),
    same(`groups, page ${last}`, `/admin/groups?limit=${PAGE}&page=${last}`, { ...page(groups), each: areCounted }),
    same('groups, one by its name', `/admin/groups?limit=${PAGE}&search=${groupName(groups - 1)}`, page(1)),
    same('permissions with their counts', `/admin/permissions?limit=${PAGE}&search=area`, page(permissions)),
  ];
}

function memberCases(people: People, isSmoke: boolean): ListCase[] {
  const { shape, groupIds, roleIds } = people;
  const users = people.persons.length;
  const members = people.count((_, user) => shape.isInFirstGroup(user));
  const inGroup = `/admin/groups/${groupIds[0]}/members?limit=${PAGE}`;
  const withRole = `/admin/roles/${roleIds[0]}/users?limit=${PAGE}`;
  const deep = isSmoke ? 1 : Math.floor((members / PAGE) * 0.9);
  const isMember = (item: Item): boolean => has(item, 'groups', groupName(0));
  const expected = { ...page(members), each: isMember };
  const name = `members of a group of ${members.toLocaleString('en-US')}`;
  return [
    same(`${name}, first page`, inGroup, expected),
    same(`${name}, page ${deep}`, `${inGroup}&page=${deep}`, expected),
    same(`${name}, sorted by email`, `${inGroup}&sortBy=email`, {
      ...expected,
      order: { by: 'email', descending: false },
    }),
    same(`users of the role of all, page ${deepPage(users)}`, `${withRole}&page=${deepPage(users)}`, page(users)),
  ];
}

/** Every actor and every action has as many entries as the others. */
function logCases(people: People, entries: number): ListCase[] {
  const actors = actorsOf(people);
  const path = `/admin/audit-logs?limit=${PAGE}`;
  const actor = (turn: number): string => people.userIds[turn % actors] as string;
  const action = (turn: number): string => LOGGED_ACTIONS[turn % LOGGED_ACTIONS.length] as string;
  const isBy =
    (id: string) =>
    ({ actorId }: Item): boolean =>
      actorId === id;
  const is =
    (wanted: string) =>
    ({ action: done }: Item): boolean =>
      done === wanted;
  const ofAction = page(entries / LOGGED_ACTIONS.length);
  const deep = deepPage(entries / LOGGED_ACTIONS.length);
  return [
    {
      name: 'audit log, by one actor',
      turn: (turn) => ({
        path: `${path}&actorId=${actor(turn)}`,
        expected: { ...page(entries / actors), each: isBy(actor(turn)) },
      }),
    },
    {
      name: 'audit log, one action',
      turn: (turn) => ({ path: `${path}&action=${action(turn)}`, expected: { ...ofAction, each: is(action(turn)) } }),
    },
    {
      name: `audit log, one action, page ${deep}`,
      turn: (turn) => ({
        path: `${path}&action=${action(turn)}&page=${deep}`,
        expected: { ...ofAction, each: is(action(turn)) },
      }),
    },
    {
      name: 'audit log, one action of one actor',
      turn(turn) {
        const wanted = actionOf(people, turn % actors);
        const expected = { ...page(entries / actors / LOGGED_ACTIONS.length), each: is(wanted) };
        return { path: `${path}&actorId=${actor(turn)}&action=${wanted}`, expected };
      },
    },
  ];
}

function sessionCases(people: People, { sessions, tokens }: Amounts): ListCase[] {
  const users = signedIn(people);
  const deep = deepPage(sessions);
  const all = page(sessions);
  const numberOf = (turn: number): number => users[(turn * 48_611) % users.length] as number;
  const sessionsOf = (turn: number): number => {
    const place = (turn * 48_611) % users.length;
    return Math.floor(sessions / users.length) + (place < sessions % users.length ? 1 : 0);
  };
  const path = `/admin/sessions?limit=${PAGE}`;
  return [
    {
      name: 'sessions, counted',
      turn: () => ({
        path: '/admin/sessions/stats',
        expected: { value: { total: sessions, active: sessions, inactive: 0 } },
      }),
    },
    same('sessions, first page', path, all),
    same(`sessions, page ${deep}`, `${path}&page=${deep}`, all),
    {
      name: 'sessions of one user',
      turn: (turn) => ({ path: `${path}&userId=${numberOf(turn) + 1}`, expected: page(sessionsOf(turn)) }),
    },
    same(`tokens, page ${deepPage(tokens)}`, `/admin/tokens?limit=${PAGE}&page=${deepPage(tokens)}`, page(tokens)),
    {
      name: 'tokens of one client',
      turn: (turn) => ({
        path: `/admin/tokens?limit=${PAGE}&clientId=${clientOf(turn)}`,
        expected: page(tokensOf(tokens, turn % 50)),
      }),
    },
  ];
}
