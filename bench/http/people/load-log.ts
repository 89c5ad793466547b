import type { Change, Engine } from '#engine';
import type { People } from '../../data/people/people.ts';
import type { AuditEvent, AuditMaker, BuiltService } from './built-service.ts';

/** What the entries tell of, in turn. */
export const LOGGED_ACTIONS = [
  'user.update',
  'user.block',
  'user.unblock',
  'user.role.assign',
  'user.role.remove',
  'group.member.add',
  'group.member.remove',
  'password.set',
  'session.revoke',
  'token.revoke',
];

const ENTRIES_A_COMMIT = 5_000;
/** Of two entries, a commit apart: the ids of entries carry their times. */
const ENTRY_GAP_MS = 10_000;

/** Who acts in the log. The number of an entry says who and what: every actor does everything. */
export function actorsOf(people: People): number {
  return Math.min(200, people.persons.length >> 1);
}

/** Entries as the service makes them, chained, over the last weeks. */
export async function appendLog(
  engine: Engine,
  { auditedAs, uuidGenerator, systemClock }: BuiltService,
  people: People,
  organization: { readonly id: string; readonly store: string },
  entries: number,
): Promise<void> {
  let time = systemClock.now() - (entries + 1) * ENTRY_GAP_MS;
  const maker: AuditMaker = { newId: uuidGenerator({ now: () => time }), now: () => time };
  const audited = { id: organization.id, store: { name: organization.store } };
  let batch: Change[] = [];
  for (let number = 0; number < entries; number++) {
    time += ENTRY_GAP_MS;
    const actor = number % actorsOf(people);
    const by = {
      id: people.userIds[actor] as string,
      type: 'user',
      email: people.persons[actor]?.email ?? '',
    } as const;
    batch.push(...auditedAs(maker, audited, by, factsOf(number), auditEvent(people, number)));
    if ((number + 1) % ENTRIES_A_COMMIT > 0 && number + 1 < entries) continue;
    await engine.submit(engine.command(batch));
    batch = [];
  }
}

/** Actions go on by one after each round of the actors, and every actor does each of them in turn. */
export function actionOf(people: People, number: number): string {
  const round = Math.floor(number / actorsOf(people));
  return LOGGED_ACTIONS[(number + round) % LOGGED_ACTIONS.length] as string;
}

function auditEvent(people: People, number: number): AuditEvent {
  const target = (number * 48_611) % people.persons.length;
  return {
    eventType: 'admin.action',
    action: actionOf(people, number),
    targetType: 'user',
    targetId: people.userIds[target] as string,
    metadata: { group: `group-${number % 97}` },
    personal: { email: people.persons[target]?.email },
  };
}

function factsOf(number: number) {
  return {
    requestId: `request-${number}`,
    header: () => 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    clientAddress: () => `203.0.113.${number % 250}`,
  };
}
