import type { Change, Engine } from '#engine';
import type { People } from '../../data/people/people.ts';
import type { BuiltService } from './built-service.ts';
import type { Amounts } from './load-people.ts';

const AT_ONCE = 5_000;
const TOKEN_MS = 365 * 86_400_000;
const CLIENTS = 50;
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];

/** Who is signed in: everybody who may be, in turn and again. */
export function signedIn(people: People): number[] {
  return [...people.persons.keys()].filter((user) => !people.shape.isBlocked(user));
}

/** Sessions and tokens as a sign-in begins them, thousands to a commit. */
export async function signEverybodyIn(
  engine: Engine,
  built: BuiltService,
  people: People,
  store: string,
  { sessions, tokens }: Pick<Amounts, 'sessions' | 'tokens'>,
): Promise<void> {
  const clock = built.systemClock;
  const audit = { newId: built.uuidGenerator(clock), now: () => clock.now() };
  const dependencies = { engine, clock, audit, locate: () => null };
  const opened = engine.store(store);
  const begun = new built.Sessions(dependencies);
  const issued = new built.Tokens(dependencies);
  const users = signedIn(people);
  const userIdOf = (number: number): string => people.userIds[users[number % users.length] as number] as string;
  await inCommits(engine, sessions, (number) =>
    begun.begin(opened, {
      userId: userIdOf(number),
      authMethod: 'password',
      mfaVerified: number % 3 === 0,
      ipAddress: `198.51.${number % 256}.${(number >> 8) % 256}`,
      userAgent: AGENTS[number % AGENTS.length] as string,
    }),
  );
  await inCommits(engine, tokens, (number) =>
    issued.begin(opened, {
      type: number % 2 === 0 ? 'access' : 'refresh',
      clientId: clientOf(number),
      userId: userIdOf(number),
      scopes: ['openid', 'profile'],
      expiresAt: clock.now() + TOKEN_MS,
    }),
  );
}

export function clientOf(number: number): string {
  return `client-${number % CLIENTS}`;
}

/** How many tokens a client has been issued. */
export function tokensOf(tokens: number, client: number): number {
  return Math.floor(tokens / CLIENTS) + (client < tokens % CLIENTS ? 1 : 0);
}

async function inCommits(
  engine: Engine,
  count: number,
  begin: (number: number) => { readonly changes: readonly Change[] } | undefined,
): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const changes = engine.read(() =>
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, place) => {
        const made = begin(from + place);
        if (made === undefined) throw new Error('somebody could not sign in');
        return made.changes;
      }).flat(),
    );
    await engine.submit(engine.command(changes));
  }
}
