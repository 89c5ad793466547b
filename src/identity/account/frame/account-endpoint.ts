import { z } from 'zod';
import type { Precondition } from '#engine';
import { pendingFor } from '../../../directory/elevations/index.ts';
import type { UserEntry } from '../../../directory/records/index.ts';
import { type Endpoint, redirect } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { forbidden, notFound } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { liveSession, type SessionEntry, sessionAsRead } from '../../sessions/index.ts';
import { type VisitorSpec, type VisitorVisit, visitorEndpoint } from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';

/** What the handler of an account page gets: who is signed in, and in which session. */
export interface AccountVisit<Q = unknown, B = unknown> extends VisitorVisit<Q, B> {
  readonly user: UserEntry;
  readonly session: SessionEntry;
  /** Whether the user has signed in a short while ago, so that sensitive forms can be sent as they are. */
  readonly isFresh: boolean;
  /** Requests of agents that wait for the user, for the way to them: as many as are counted, and whether there are more. */
  waiting(): { readonly count: number; readonly hasMore: boolean };
}

type AccountPath = `/orgs/{orgId}/${'account' | 'approvals'}${string}`;
type Answer = ReturnType<VisitorSpec<unknown, unknown>['handler']>;

export interface AccountSpec<Q, B> extends Omit<VisitorSpec<Q, B>, 'handler' | 'csrf' | 'path'> {
  readonly path: AccountPath;
  /** Where its user comes back to after signing in: of a form, the page that has it. The page itself where omitted. */
  readonly page?: AccountPath;
  /** Whether who came long ago must prove again who it is: whoever finds a browser open must not keep the account. */
  readonly isSensitive?: boolean;
  handler(visit: AccountVisit<Q, B>): Answer;
}

/** Sensitive pages want a sign-in that is no older. */
export const FRESH_MS = 10 * 60_000;

/** A page of the account, for who is signed in. Others sign in first. */
export function accountEndpoint<Q = undefined, B = undefined>(
  dependencies: AccountDependencies,
  { page, isSensitive = false, handler, body: schema, ...spec }: AccountSpec<Q, B>,
): Endpoint {
  return visitorEndpoint<Q, Sent<B>>(dependencies, {
    ...spec,
    ...(spec.method === 'GET' ? {} : { body: sentSchema(schema) }),
    handler(visit) {
      const { visitor, organization, query, params, base } = visit;
      const found = visitor.session;
      const isFresh = found !== undefined && dependencies.clock.now() - authTime(found.entry) <= FRESH_MS;
      const isOld = isSensitive && found !== undefined && !isFresh;
      if (found !== undefined && !isOld) {
        const account = spec.method === 'GET' ? '' : visit.body.account;
        if (account !== '' && account !== found.user.id) return redirect(303, `${base}/account?done=other`);
        // only a POST has a body, and there it is what the schema has made
        const body = spec.method === 'GET' ? (undefined as B) : visit.body.own;
        const { user, entry: session } = found;
        let counted: ReturnType<AccountVisit['waiting']> | undefined;
        const waiting = () => (counted ??= countWaiting(dependencies, organization, user.id));
        // what is changed here rests on the session, as it stands where the change is applied
        const facts = {
          ...visit.facts,
          credentialPreconditions: () => stillSignedIn(dependencies, organization, session),
        };
        return handler({ ...visit, facts, call: visit.call as never, body, user, session, isFresh, waiting });
      }
      const path = (page ?? spec.path)
        .replace('/orgs/{orgId}', base)
        .replace(/\{(\w+)\}/g, (_, name) => named(params[name]));
      const returnTo = path + (page === undefined ? searchOf(query) : '');
      const loginHint = found?.user.document.email;
      return dependencies.signIn.begin(organization, visitor, { returnTo, fresh: isOld, loginHint });
    },
  });
}

/** @throws ProblemError 403 where the session has ended */
function stillSignedIn({ clock }: AccountDependencies, { store }: Organization, { id }: SessionEntry): Precondition[] {
  if (liveSession(store, id, clock.now()) === undefined) throw forbidden(said('agents.signedOut'));
  return sessionAsRead(store, id);
}

interface Sent<B> {
  /** Whose page the form was on: somebody else may have signed in in another tab. */
  readonly account: string;
  readonly own: B;
}

function sentSchema<B>(schema: z.ZodType<B> | undefined): z.ZodType<Sent<B>> {
  return z
    .looseObject({ account: z.string().max(128).default('') })
    .transform(({ account, ...fields }, context): Sent<B> => {
      if (schema === undefined) return { account, own: undefined as B };
      const result = schema.safeParse(fields);
      if (result.success) return { account, own: result.data };
      for (const { message, path } of result.error.issues)
        context.addIssue({ code: 'custom', message, path: [...path] });
      return z.NEVER;
    });
}

/** No record has a longer id. */
const ID_MAX = 128;

/** As it stands in a path. @throws ProblemError 404 for what names nothing */
function named(id = ''): string {
  if (id.length > ID_MAX) throw notFound();
  return encodeURIComponent(id);
}

const COUNTED_MAX = 20;

function countWaiting(dependencies: AccountDependencies, organization: Organization, userId: string) {
  return dependencies.engine.read(() => {
    const { tasks, hasMore } = pendingFor(dependencies, organization, userId, { limit: COUNTED_MAX });
    return { count: tasks.length, hasMore };
  });
}

function authTime({ document: { authTime: at } }: SessionEntry): number {
  return at;
}

function searchOf(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (typeof value === 'string') search.append(name, value);
  return search.size === 0 ? '' : `?${search}`;
}
