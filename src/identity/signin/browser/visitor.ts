import { countsNow, getUser, type UserEntry } from '../../../directory/records/index.ts';
import { type Reply, withHeaders } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { digestOf, equalSecrets, randomText } from '../../../platform/index.ts';
import { siteOf } from '../../pages/index.ts';
import type { SessionEntry } from '../../sessions/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { cookieHeader, cookieName, cookieValue } from './cookies.ts';

/** Somebody at a page of an organization: which browser it is, and who is signed in there. */
export interface Visitor {
  /** Names the browser in records: a digest of its secret. Flows, links and codes are bound to it. */
  readonly browser: string;
  /** Whether it has brought its secret; otherwise it gets one with the answer. */
  readonly isKnown: boolean;
  readonly session?: { readonly entry: SessionEntry; readonly user: UserEntry };
  /** The token that a form to this path carries. */
  csrf(action: string): string;
  isOwnForm(action: string, token: string): boolean;
  /** The answer with the cookie of a browser that is new. To be done once to each. */
  dressed<T>(reply: Reply<T>): Reply<T>;
}

const SECRET_LENGTH = 43;
const secretPattern = /^[0-9A-Za-z]{43}$/;

/** Reads the cookies of a request. */
export function visitorOf(
  dependencies: SignInDependencies,
  call: { header(name: string): string },
  organization: Organization,
): Visitor {
  const { engine, sealer, sessions, baseUrl } = dependencies;
  const site = siteOf(baseUrl);
  const cookies = call.header('cookie');
  const read = (kind: 'browser' | 'session'): string | undefined => {
    const value = cookieValue(cookies, cookieName(site, kind, organization));
    return value !== undefined && secretPattern.test(value) ? value : undefined;
  };
  const brought = read('browser');
  const secret = brought ?? randomText(SECRET_LENGTH);
  const sessionSecret = read('session');
  const session = sessionSecret === undefined ? undefined : findSession();
  const csrf = (action: string): string => sealer.mac('form', organization.id, secret, action);
  return {
    browser: digestOf(secret),
    isKnown: brought !== undefined,
    ...(session === undefined ? {} : { session }),
    csrf,
    isOwnForm: (action, token) => brought !== undefined && equalSecrets(csrf(action), token),
    dressed: (reply) =>
      brought === undefined
        ? withHeaders(reply, { 'set-cookie': cookieHeader(site, 'browser', organization, secret) })
        : reply,
  };

  function findSession(): Visitor['session'] {
    const found = engine.read(() => {
      const entry = sessions.find(organization.store, sessionSecret as string);
      const user = entry && getUser(organization.store, entry.document.userId);
      return entry !== undefined && user !== undefined && countsNow(user.document) ? { entry, user } : undefined;
    });
    if (found !== undefined) sessions.touch(organization.store, found.entry.id);
    return found;
  }
}
