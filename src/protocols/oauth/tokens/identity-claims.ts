import { BoundedMap, EngineError, type Store } from '#engine';
import { isoTime } from '../../../platform/index.ts';

/** What a subject has at the moment of issue: for resource servers; Relata itself never decides by it. */
export interface IdentityClaims {
  readonly roles?: readonly string[];
  readonly groups?: readonly string[];
  readonly permissions?: readonly string[];
  /** Which of the three are left out because they are too long to be carried. */
  readonly overage?: readonly ClaimName[];
}

type ClaimName = 'roles' | 'groups' | 'permissions';

const sources = [
  { claim: 'roles', type: 'role', relation: 'assignee' },
  { claim: 'groups', type: 'group', relation: 'member' },
  { claim: 'permissions', type: 'permission', relation: 'granted' },
] as const satisfies readonly { claim: ClaimName; type: string; relation: string }[];

/** Most slugs in one claim. */
const ITEMS_MAX = 50;
/** Most bytes of JSON in all of them: a token has to fit a header, and transports close at 4 KB of headers. */
const BYTES_MAX = 1_200;

interface Known {
  /** `Basis.changedAt` when they were found. */
  readonly changedAt: number;
  readonly claims: IdentityClaims;
}

/** Subjects of one organization that a thread remembers. */
const KNOWN_MAX = 10_000;
const knownByStore = new WeakMap<Store, BoundedMap<string, Known>>();

/**
 * Roles (those of groups included), groups and permissions of a subject as the engine finds them now. Those that depend
 * on a condition of a request are left out. They are kept for as long as neither a commit nor time can change them. To
 * be called inside `Engine.read`.
 */
export function identityClaims(store: Store, subject: string, now: number): IdentityClaims {
  const { changedAt, isTimeless } = store.basis();
  if (!isTimeless) return findClaims(store, subject, now);
  const known = knownByStore.get(store) ?? new BoundedMap<string, Known>(KNOWN_MAX);
  const before = known.get(subject);
  if (before?.changedAt === changedAt) return before.claims;
  const claims = findClaims(store, subject, now);
  // this once it may have been too much only because it took too long
  if (claims.overage !== undefined) return claims;
  known.set(subject, { changedAt, claims });
  knownByStore.set(store, known);
  return claims;
}

/** Claims that need a scope of the same name. */
export function claimsOf(claims: IdentityClaims, scopes: readonly string[]): IdentityClaims {
  const told = sources.map(({ claim }) => claim).filter((claim) => scopes.includes(claim));
  const overage = claims.overage?.filter((claim) => told.includes(claim)) ?? [];
  return {
    ...Object.fromEntries(told.flatMap((claim) => (claims[claim] === undefined ? [] : [[claim, claims[claim]]]))),
    ...(overage.length === 0 ? {} : { overage }),
  };
}

/** None of them, with the names of those that there are. */
export function namedAlone(claims: IdentityClaims): IdentityClaims {
  const overage = sources.map(({ claim }) => claim).filter((claim) => claims[claim] ?? claims.overage?.includes(claim));
  return overage.length === 0 ? {} : { overage };
}

function findClaims(store: Store, subject: string, now: number): IdentityClaims {
  const claims: Partial<Record<ClaimName, readonly string[]>> = {};
  const overage: ClaimName[] = [];
  let bytes = 0;
  for (const { claim, type, relation } of sources) {
    const slugs = slugsOf(store, { type, relation, subject, now });
    const size = slugs === undefined ? 0 : Buffer.byteLength(JSON.stringify(slugs));
    if (slugs === undefined || bytes + size > BYTES_MAX) {
      overage.push(claim);
      continue;
    }
    bytes += size;
    if (slugs.length > 0) claims[claim] = slugs;
  }
  return { ...claims, ...(overage.length === 0 ? {} : { overage }) };
}

interface Question {
  readonly type: string;
  readonly relation: string;
  readonly subject: string;
  readonly now: number;
}

/** `undefined` where there are too many, or more than the engine's bounds let it find. */
function slugsOf(store: Store, { now, ...question }: Question): string[] | undefined {
  try {
    const context = { now: isoTime(now) };
    const { items, cursor } = store.listObjects({ ...question, now, context, limit: ITEMS_MAX + 1 });
    if (items.length > ITEMS_MAX || cursor !== undefined) return undefined;
    return items.map((object) => object.slice(question.type.length + 1)).toSorted();
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'too_wide' || error.code === 'timeout')) return undefined;
    throw error;
  }
}
