import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseTuple, type Store, type Tuple } from '#engine';
import type { DecisionDependencies } from '../../access/decisions/index.ts';
import type { Organizations } from '../../directory/organizations/index.ts';
import { permissionRecords, userRecords } from '../../directory/records/index.ts';
import { PasswordHasher } from '../../directory/users/index.ts';
import { storeOf } from '../../kernel/organizations/index.ts';
import { type ModelText, preparedText, type SystemModel } from '../../kernel/rights/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import { defaultConfigFile, isoTime, randomText, uuidGenerator } from '../../platform/index.ts';
import type { DemoCredentials } from './credentials.ts';
import { type DemoDirectory, demoClientId, demoPersonId, demoRecords, signInRecords } from './demo-records.ts';

export const demoSlug = 'demo';

interface DemoFile {
  readonly relationships: readonly (string | Tuple)[];
  readonly rights: readonly (string | Tuple)[];
}

export const PASSWORD_LENGTH = 16;

/**
 * Makes the organization `demo` in a service that has no organization and never had this one: a model of documents,
 * folders and teams, its relationships, and a few people, roles, permissions and groups, of whom one can sign in to an application. `undefined`
 * where there is nothing to make.
 */
export async function createDemo(
  { engine, clock, systemModel }: Pick<DecisionDependencies, 'engine' | 'clock' | 'systemModel'>,
  organizations: Organizations,
): Promise<DemoCredentials | undefined> {
  if (organizations.hasAny()) return undefined;
  const created = await organizations.create(demoSlug, 'Demonstration');
  if (created === undefined) return undefined;
  const store: Store = engine.store(storeOf(demoSlug));
  const { source, prepared } = preparedText(demoModelText(systemModel), 'demo-model');
  await store.writePreparedModel(source, prepared);
  const { relationships, rights } = JSON.parse(readFileSync(join(demoFolder(), 'tuples.json'), 'utf8')) as DemoFile;
  const directory = JSON.parse(readFileSync(join(demoFolder(), 'directory.json'), 'utf8')) as DemoDirectory;
  const numbers = new Numbers(engine);
  const take = async (sequence: string, count: number): Promise<number[]> => {
    const taken: number[] = [];
    while (taken.length < count) taken.push(await numbers.next(store.name, sequence));
    return taken;
  };
  const ids = {
    newId: uuidGenerator(clock),
    users: await take(userRecords.collection, directory.users.length),
    permissions: await take(permissionRecords.collection, directory.permissions.length),
  };
  const password = randomText(PASSWORD_LENGTH);
  const passwordHash = await new PasswordHasher().hash(password);
  const now = clock.now();
  await store.write({
    writes: [...relationships, ...rights].map(read),
    also: [...demoRecords(store, directory, ids, now), ...signInRecords(store, passwordHash, now)],
  });
  const email = directory.users.find(({ id }) => id === demoPersonId)?.email ?? '';
  return { adminApiKey: created.adminApiKey, email, password, madeAt: isoTime(now) };
}

export function demoModelText({ source, model }: SystemModel): ModelText {
  return { dsl: readFileSync(join(demoFolder(), 'model.fga'), 'utf8'), base: { ...source, model } };
}

function demoFolder(): string {
  return join(dirname(defaultConfigFile()), 'demo');
}

function read(tuple: string | Tuple): Tuple {
  return typeof tuple === 'string' ? parseTuple(tuple) : tuple;
}

/** What to print: commands that get a decision and a sign-in from the service at `baseUrl`. */
export function demoLines({ adminApiKey, email, password }: DemoCredentials, baseUrl: string): string[] {
  const body = '{"object":"document:roadmap","relation":"viewer","subject":"user:carol"}';
  return [
    `Demonstration organization: ${baseUrl}/t/${demoSlug}/api/v1 (reference: ${baseUrl}/docs)`,
    `Its administrator's API key: ${adminApiKey}`,
    'May Carol see the roadmap?',
    `  curl -sS ${baseUrl}/t/${demoSlug}/api/v1/zanzibar/check -H 'Authorization: Bearer ${adminApiKey}' -H 'Content-Type: application/json' -d '${body}'`,
    `Sign in as ${email} with the password ${password}`,
    `  ${baseUrl}/orgs/${demoSlug}/account`,
    'Sign in to an application (open the address that this answers):',
    `  curl -sS ${baseUrl}/orgs/${demoSlug}/api/v1/oauth/device_authorization -d client_id=${demoClientId} -d 'scope=openid profile document:read'`,
  ];
}
