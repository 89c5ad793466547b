import type { Engine, RecordEntry, Store } from '#engine';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { commit } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { RecordKind } from '../../../kernel/records/index.ts';
import { type ProviderEntry, usableProvider } from '../../providers/index.ts';
import type { FederationDependencies } from '../dependencies.ts';
import type { AnswerBy, AnswerParameters, ExternalIdentity, Upstream } from '../upstreams/upstream.ts';
import {
  type Aim,
  type AttemptEntry,
  addArrival,
  arrivalRecords,
  attemptRecords,
  findArrival,
  findAttempt,
} from './attempt-record.ts';
import { openProvider, stopOf } from './open-provider.ts';
import type { Stopped } from './pages.tsx';

/** What came to the callback URL of a provider. */
export interface Callback {
  readonly organization: Organization;
  readonly identifier: string;
  readonly facts: RequestFacts;
  readonly parameters: AnswerParameters;
}

/** Somebody was proved, for what was begun. */
export interface Proved {
  readonly provider: ProviderEntry;
  readonly upstream: Upstream;
  readonly identity: ExternalIdentity;
  readonly aim: Aim;
}

export type StoppedCallback = Stopped & { readonly aim?: Aim };

/** An answer in the query, in the browser that began: it is used up before anything is asked. */
export async function provedByQuery(
  dependencies: FederationDependencies,
  callback: Callback,
  browser: string,
): Promise<Proved | StoppedCallback> {
  const found = find(dependencies, callback, callback.parameters.state, 'query');
  if (found === undefined || found.attempt.document.browser !== browser) return over;
  return proved(dependencies, callback, found);
}

/** An answer in a form: proved at once, and kept for the browser that began. Answers the secret that it must show. */
export async function keptFromForm(
  dependencies: FederationDependencies,
  callback: Callback,
): Promise<{ readonly secret: string } | StoppedCallback> {
  const { state, RelayState } = callback.parameters;
  const found = find(dependencies, callback, state ?? RelayState, 'form');
  if (found === undefined) return over;
  const result = await proved(dependencies, callback, found);
  if ('stop' in result) return result;
  const { engine, clock } = dependencies;
  const { store } = callback.organization;
  const secret = await commit(engine, store, (changes) =>
    addArrival(changes, found.attempt, result.identity, clock.now()),
  );
  return secret === undefined ? { ...over, name: found.entry.document.name } : { secret };
}

/** What `keptFromForm` kept, for the browser that began. */
export async function provedByForm(
  dependencies: FederationDependencies,
  { organization, identifier }: Callback,
  secret: string,
  browser: string,
): Promise<Proved | StoppedCallback> {
  const { engine, clock } = dependencies;
  const { store } = organization;
  const found = engine.read(() => {
    const arrival = findArrival(store, secret, clock.now());
    const entry = usableProvider(store, identifier);
    const isOwn = arrival?.document.browser === browser && arrival.document.providerId === entry?.id;
    return isOwn && arrival !== undefined && entry !== undefined ? { arrival, entry } : undefined;
  });
  if (found === undefined) return over;
  const { arrival, entry } = found;
  if (!(await usedUp(engine, store, arrivalRecords, arrival))) return over;
  const { identity, aim } = arrival.document;
  return { provider: entry, upstream: dependencies.upstreams[entry.document.type], identity, aim };
}

interface Found {
  readonly entry: ProviderEntry;
  readonly attempt: AttemptEntry;
}

/** The attempt that an answer belongs to: of this provider, and answered as the provider answers. */
function find(
  { engine, clock, upstreams }: FederationDependencies,
  { organization: { store }, identifier }: Callback,
  state: string | undefined,
  by: AnswerBy,
): Found | undefined {
  if (state === undefined) return undefined;
  return engine.read(() => {
    const entry = usableProvider(store, identifier);
    if (entry === undefined || upstreams[entry.document.type].answersBy !== by) return undefined;
    const attempt = findAttempt(store, state, clock.now());
    return attempt?.document.providerId === entry.id ? { entry, attempt } : undefined;
  });
}

async function proved(
  dependencies: FederationDependencies,
  { organization, identifier, facts, parameters }: Callback,
  { entry, attempt }: Found,
): Promise<Proved | StoppedCallback> {
  const { engine } = dependencies;
  const { store } = organization;
  const { nonce, codeVerifier, freshSince, aim } = attempt.document;
  const { name } = entry.document;
  if (!(await usedUp(engine, store, attemptRecords, attempt))) return over;
  try {
    const { provider, upstream } = openProvider(dependencies, organization, entry);
    const state = parameters.state ?? parameters.RelayState ?? '';
    const identity = await upstream.answer(provider, { state, nonce, codeVerifier, freshSince }, parameters);
    return { provider: entry, upstream, identity, aim };
  } catch (error) {
    return { ...stopOf(dependencies, { organization, facts, provider: identifier }, error), name, aim };
  }
}

const over: StoppedCallback = { stop: 'over', name: '' };

/** Uses a record up. False where somebody was faster. */
function usedUp<T>(engine: Engine, store: Store, kind: RecordKind<T>, entry: RecordEntry<T>): Promise<boolean> {
  return commit(engine, store, (changes) => {
    if (!changes.isUnchanged(kind, entry)) return false;
    changes.delete(kind, entry.id);
    return true;
  });
}
