import { type Engine, EngineError, type Store } from '#engine';
import { keyRecords, keySubject, mintKey, userRecords } from '../../directory/records/index.ts';
import { credentialRecords, PasswordHasher } from '../../directory/users/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import { storeOf } from '../../kernel/organizations/index.ts';
import { adminRole } from '../../kernel/rights/index.ts';
import { type Clock, isoTime, randomText, uuidGenerator } from '../../platform/index.ts';
import type { DemoCredentials } from './credentials.ts';
import { demoSlug, PASSWORD_LENGTH } from './demo.ts';
import { demoPersonId } from './demo-records.ts';

const KEYS_MAX = 1000;

/**
 * A new key for the demonstration's administrator, in place of the first one, and a new password for the person who can
 * sign in. What stood before opens nothing any more.
 * @throws EngineError `unknown_store` where there is no demonstration
 */
export async function rotateCredentials(engine: Engine, clock: Clock): Promise<DemoCredentials> {
  const store = engine.store(storeOf(demoSlug));
  const now = clock.now();
  const person = userRecords.get(store, demoPersonId)?.document;
  if (person === undefined) {
    throw new EngineError('invalid_argument', `the demonstration has no user ${demoPersonId} any more`);
  }
  const first = firstKey(store);
  const minted =
    first === undefined
      ? mintKey(uuidGenerator(clock)(), { name: 'Administration', createdAt: now, createdBy: 'platform' })
      : mintKey(first.id, { ...first.document, rotatedAt: now });
  const password = randomText(PASSWORD_LENGTH);
  const hash = await new PasswordHasher().hash(password);
  const tuple = { object: `role:${adminRole}`, relation: 'assignee', subject: keySubject(minted.id) };
  await commit(engine, store, (changes) => {
    changes.put(keyRecords, minted.id, minted.document);
    changes.put(credentialRecords, demoPersonId, { hash, mustChange: false, changedAt: now, previous: [] });
    changes.write([tuple]);
  });
  return { adminApiKey: minted.key, email: person.email, password, madeAt: isoTime(now) };
}

/** The key that came with the organization, if it is still there. */
function firstKey(store: Store) {
  for (const id of keyRecords.index(store).ids(undefined, '', { skip: 0, limit: KEYS_MAX })) {
    const found = keyRecords.get(store, id);
    if (found?.document.createdBy === 'platform') return found;
  }
  return undefined;
}
