import type { Change, Store } from '#engine';
import {
  currentEpoch,
  currentEpochs,
  endAllOf,
  endSessionsOf,
  settle,
  stillCurrent,
} from '../../../directory/epochs/index.ts';
import { countsNow, getUser, userActing, userRecords } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { type GatheredChanges, UseNotes } from '../../../kernel/commits/index.ts';
import type { Organization, RequireHeard } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, type Part, transactAs } from '../../../kernel/transactions/index.ts';
import { digestOf, randomText, timeOfId } from '../../../platform/index.ts';
import { hasTokens } from '../lists/tokens-of.ts';
import { noticeOfEnd } from '../records/participation.ts';
import { signedOut } from '../records/session-events.ts';
import {
  type AuthMethod,
  getSession,
  type Location,
  liveSession,
  readLifetime,
  type SessionEntry,
  type SessionRecord,
  sessionOfDigest,
  sessionRecords,
} from '../records/session-record.ts';
import { deviceOf, USER_AGENT_MAX } from './device.ts';

/** Where an address is, as far as the operator's database knows. */
export type Locate = (address: string) => Location | null;

export interface SessionDependencies extends AdminDependencies {
  readonly locate: Locate;
  /** On a node of a cluster. */
  readonly requireHeard?: RequireHeard | undefined;
}

/** How somebody has signed in. */
export interface SignIn {
  readonly userId: string;
  readonly authMethod: AuthMethod;
  readonly mfaVerified: boolean;
  /** RFC 8176. */
  readonly amr?: readonly string[];
  /** When it was proved, in milliseconds since the epoch; now where omitted. */
  readonly authTime?: number;
  /** Whether every session and token of the user ends that was there before. */
  readonly endsAll?: boolean;
  readonly ipAddress: string;
  readonly userAgent: string;
}

/** A session on its way into a commit. */
export interface BegunSession extends Required<GatheredChanges> {
  readonly session: SessionEntry;
  /** For the browser's cookie. It is shown here and never again. */
  readonly secret: string;
}

const SECRET_LENGTH = 43;
const OP_STATE_LENGTH = 22;
/** Of one user at a time: the oldest ends for the newest. */
export const SESSIONS_MAX = 200;

/** Sessions of users, as sign-in starts, uses and ends them. */
export class Sessions {
  readonly #dependencies: SessionDependencies;
  readonly #uses: UseNotes<SessionRecord>;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
    this.#uses = new UseNotes<SessionRecord>(dependencies.engine, dependencies.clock, {
      records: sessionRecords,
      usedAt: ({ lastActiveAt }) => lastActiveAt,
      // who goes on using a session that may be idle for a short time alone stays signed in
      gapMs: (store) => readLifetime(store).idleMs / 4,
      find: liveSession,
      used: (document, lastActiveAt) => ({ ...document, lastActiveAt }),
    });
  }

  /**
   * The changes that start a session, for a plan that commits them with what else a sign-in changes; `undefined` where
   * the user is absent, blocked or not active. To be called inside `Engine.read`. It is sure to have begun only when
   * its preconditions stand in the command: everything of the user may be ended in the meantime.
   */
  begin(store: Store, signIn: SignIn): BegunSession | undefined {
    const { userId, authMethod, mfaVerified, amr = [], endsAll = false, ipAddress } = signIn;
    const user = getUser(store, userId);
    if (user === undefined || !countsNow(user.document)) return undefined;
    const own = `sessions:${userId}` as const;
    const epochs = currentEpochs(store, ['sessions', own]);
    const isAlone = endsAll || readSettings(store).session.single;
    const id = this.#dependencies.audit.newId();
    const createdAt = timeOfId(id);
    const userAgent = signIn.userAgent.slice(0, USER_AGENT_MAX);
    const secret = randomText(SECRET_LENGTH);
    const document: SessionRecord = {
      userId,
      userNumber: user.document.number,
      digest: digestOf(secret),
      ipAddress,
      userAgent,
      device: deviceOf(userAgent),
      location: this.#dependencies.locate(ipAddress),
      authMethod,
      mfaVerified,
      amr,
      authTime: signIn.authTime ?? createdAt,
      opState: randomText(OP_STATE_LENGTH),
      createdAt,
      lastActiveAt: createdAt,
      // ending the others begins the epoch that this one belongs to
      epochs: isAlone ? { ...epochs, [own]: currentEpoch(store, own) + 1 } : epochs,
    };
    const ended = endsAll ? endAllOf(store, userId) : endSessionsOf(store, userId);
    const others = isAlone ? ended : this.#makeRoom(store, userId, createdAt);
    return {
      session: { id, version: 1, document },
      secret,
      changes: [...others, sessionRecords.put(store, id, document)],
      preconditions: [...stillCurrent(store, epochs), userRecords.same(store, user)],
    };
  }

  /**
   * The session that a secret opens, while it goes on. To be called inside `Engine.read`.
   * @throws ProblemError 503 where this node does not know which sessions have ended
   */
  find(store: Store, secret: string): SessionEntry | undefined {
    this.#dependencies.requireHeard?.('token');
    return sessionOfDigest(store, digestOf(secret), this.#dependencies.clock.now());
  }

  /** Notes a use; `flush` writes it down. */
  touch(store: Store, id: string): void {
    this.#uses.note(store.name, id);
  }

  /** Ends a session as its user asks. False where it does not go on. */
  async end(organization: Organization, id: string, facts: RequestFacts): Promise<boolean> {
    const { store } = organization;
    const userId = this.#dependencies.engine.read(() => getSession(store, id)?.document.userId);
    if (userId === undefined) return false;
    return transactAs(this.#dependencies, organization, userActing(userId), facts, (transaction) => {
      const session = liveSession(store, id, transaction.now);
      if (session !== undefined) transaction.add(signingOut(store, session, transaction.now));
      return session !== undefined;
    });
  }

  /** Writes down the uses that are due, or with `all` everything. To be called every few seconds. */
  flush(all = false): Promise<void> {
    return this.#uses.flush(all);
  }

  #makeRoom(store: Store, userId: string, now: number): Change[] {
    const open = sessionRecords.index(store);
    const excess = open.count('openUser', userId) - SESSIONS_MAX + 1;
    if (excess <= 0) return [];
    return open.ids('openUser', userId, { limit: excess }).flatMap((id) => {
      const session = getSession(store, id);
      return session === undefined ? [] : ending(store, session, now).changes;
    });
  }
}

/** What ends a session as its user asks. */
export function signingOut(store: Store, session: SessionEntry, now: number): Part {
  const { id, document } = session;
  return {
    ...ending(store, session, now),
    entries: [{ eventType: 'user.logout', action: 'session.end', targetType: 'session', targetId: id }],
    events: [signedOut.session(document.userId, id, 'signed_out')],
  };
}

/** What ends one session; its tokens are settled afterwards, and are refused from then on. */
export function ending(store: Store, session: SessionEntry, now: number): Required<GatheredChanges> {
  const { id, document } = session;
  return {
    changes: [
      sessionRecords.put(store, id, { ...document, endedAt: now }),
      // a token that is issued meanwhile fails with the version of the session
      ...(hasTokens(store, 'session', id) ? [settle(store, `session:${id}`)] : []),
      ...noticeOfEnd(store, id, { userId: document.userId, endedAt: now }),
    ],
    preconditions: [sessionRecords.same(store, session)],
  };
}
