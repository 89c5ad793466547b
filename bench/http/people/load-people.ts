import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, type Engine, TuplePacker } from '#engine';
import { createdAt, groupName, type People, permissionSlug, roleSlug } from '../../data/people/people.ts';
import type { ServiceFolder } from '../../store/service-folder.ts';
import { type BuiltService, builtService, countingsOf, openAsService } from './built-service.ts';
import { appendLog } from './load-log.ts';
import { signEverybodyIn } from './load-sessions.ts';

/** How much there is beside the people. */
export interface Amounts {
  readonly auditEntries: number;
  readonly sessions: number;
  readonly tokens: number;
}

/** An organization in the data folder of the service. */
export interface LoadedOrganization {
  readonly slug: string;
  readonly adminApiKey: string;
}

export interface PeopleFolder {
  readonly folder: string;
  /** With the records of everybody and everything. */
  readonly people: LoadedOrganization;
  /** The same tuples, and no records: nobody in it is suspended. */
  readonly bare: LoadedOrganization;
  /** Records of users that were put in a second, thousands to a commit. */
  readonly putPerSecond: number;
  /** What each of them has added to the data file. */
  readonly bytesPerUser: number;
}

interface Loading {
  readonly engine: Engine;
  readonly built: BuiltService;
  readonly people: People;
}

/** Changes of one commit. */
const BATCH = 10_000;
/** Sessions last so long: data that is kept between runs is still of who is signed in. */
const SESSION_SECONDS = 365 * 86_400;

/** With so many people, as it is kept between runs. */
export async function peopleFolder(
  people: People,
  amounts: Amounts,
  note: (text: string) => void,
): Promise<ServiceFolder<PeopleFolder>> {
  const { size } = people.shape;
  const built = await builtService();
  const { listing } = built.userRecords;
  return {
    name: `people-${size.users}`,
    sources: ['bench/data/people', ...['people', 'log', 'sessions'].map((what) => `bench/http/people/load-${what}.js`)],
    facts: { size, amounts, listing, countings: countingsOf(built) },
    make: (scratch) => loadPeople(scratch, people, amounts, note),
  };
}

/** Made in this process, by the parts of the service that make the same one by one. */
async function loadPeople(
  scratch: string,
  people: People,
  amounts: Amounts,
  note: (text: string) => void,
): Promise<PeopleFolder> {
  const folder = join(scratch, 'data');
  mkdirSync(join(folder, 'store'), { recursive: true });
  const built = await builtService();
  const path = join(folder, 'store');
  const engine = await openAsService(built, folder, path);
  const loading = { engine, built, people };
  // as the start of the service does
  for (const { listing } of [built.userRecords]) if (listing !== undefined) await engine.defineListing(listing);
  const created = await createOrganization(loading, 'people');
  const bare = await createOrganization(loading, 'bare');
  const session = { maxAge: SESSION_SECONDS, idleTimeout: SESSION_SECONDS };
  const settings = built.settingsRecords.put({ name: created.store }, built.settingsId, { session });
  await engine.submit(engine.command([settings]));
  note('tuples and records');
  await writeTuples(loading, created.store);
  await writeTuples(loading, bare.store);
  const bytesBefore = bytesOf(path);
  const putSeconds = await putRecords(loading, created.store);
  const users = people.persons.length;
  const figures = { putPerSecond: users / putSeconds, bytesPerUser: (bytesOf(path) - bytesBefore) / users };
  note(`${amounts.auditEntries} audit entries`);
  await appendLog(engine, built, people, { id: created.id, store: created.store }, amounts.auditEntries);
  note(`${amounts.sessions} sessions`);
  await signEverybodyIn(engine, built, people, created.store, amounts);
  await engine.close();
  return { folder, people: created, bare, ...figures };
}

async function createOrganization(
  { engine, built }: Loading,
  slug: string,
): Promise<LoadedOrganization & { readonly id: string; readonly store: string }> {
  const { Organizations, systemClock: clock, uuidGenerator, loadSystemModel } = built;
  const newId = uuidGenerator(clock);
  const organizations = new Organizations({ engine, clock, newId, systemModel: loadSystemModel() });
  await organizations.prepare();
  const created = await organizations.create(slug, slug);
  if (created === undefined) throw new Error(`the organization ${slug} is there already`);
  return { slug, adminApiKey: created.adminApiKey, id: created.record.id, store: `org:${slug}` };
}

async function writeTuples({ engine, people }: Loading, store: string): Promise<void> {
  const packer = new TuplePacker();
  const add = (object: string, relation: string, subject: string): void => packer.add({ object, relation, subject });
  for (const _ of people.tuples(add));
  await engine.submit(engine.command([{ op: 'write_packed', store, packed: packer.take() }]));
}

/** All that is on disk, as the file system counts it. */
function bytesOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).blocks * 512, 0);
}

/** Answers how many seconds the users took. */
async function putRecords({ engine, built, people }: Loading, store: string): Promise<number> {
  // what the sequences have given out is never given again
  await new built.Numbers(engine, people.persons.length).next(store, 'users');
  await new built.Numbers(engine, people.shape.size.permissions).next(store, 'permissions');
  const batch: Change[] = [];
  const startedAt = performance.now();
  for (const change of recordsOf({ engine, built, people }, { name: store })) {
    batch.push(change);
    if (batch.length >= BATCH) await engine.submit(engine.command(batch.splice(0)));
  }
  await engine.submit(engine.command(batch.splice(0)));
  const seconds = (performance.now() - startedAt) / 1000;
  const suspended = people.userIds.filter((_, user) => people.shape.isBlocked(user));
  await engine.submit(
    engine.command(suspended.map((id): Change => ({ op: 'suspend_subject', store, subject: `user:${id}` }))),
  );
  return seconds;
}

function* recordsOf({ built, people }: Loading, at: { readonly name: string }): Iterable<Change> {
  const { roles, groups, permissions } = people.shape.size;
  const times = (place: number) => ({ createdAt: createdAt(place), updatedAt: createdAt(place) });
  for (let number = 0; number < permissions; number++) {
    const slug = permissionSlug(number);
    const [resource, action] = slug.split(':');
    const named = { number: built.firstOwnNumber + number, slug, name: slug, resource, action };
    yield built.putPermission(at, { ...named, isSystem: false, ...times(number) });
  }
  for (let role = 0; role < roles; role++) {
    const slug = roleSlug(role);
    const named = { slug, name: `Role ${role}`, description: 'What some people do', isSystem: false };
    yield built.roleRecords.put(at, people.roleIds[role] as string, { ...named, ...times(role) });
  }
  for (let group = 0; group < groups; group++) {
    const named = { name: groupName(group), displayName: `Group ${group}`, description: 'Who works together' };
    yield built.groupRecords.put(at, people.groupIds[group] as string, { ...named, ...times(group) });
  }
  for (const [user, person] of people.persons.entries())
    yield built.userRecords.put(at, people.userIds[user] as string, person);
}
