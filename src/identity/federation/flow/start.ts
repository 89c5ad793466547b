import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { commit } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { usableProvider } from '../../providers/index.ts';
import type { FederationDependencies } from '../dependencies.ts';
import type { Wish } from '../upstreams/upstream.ts';
import { type Aim, newAttempt } from './attempt-record.ts';
import { openProvider, stopOf } from './open-provider.ts';
import type { Stopped } from './pages.tsx';

export interface Start {
  readonly organization: Organization;
  /** Of the visitor: nobody else can end what begins here. */
  readonly browser: string;
  /** As paths name the provider. */
  readonly identifier: string;
  readonly aim: Aim;
  readonly wish: Wish;
  readonly facts: RequestFacts;
}

export type Started = { readonly name: string; readonly url: string } | Stopped;

/** Puts an attempt on record and answers where the browser is to go. */
export async function start(dependencies: FederationDependencies, begin: Start): Promise<Started> {
  const { organization, browser, identifier, aim, wish, facts } = begin;
  const { engine, clock } = dependencies;
  const { store } = organization;
  const entry = engine.read(() => usableProvider(store, identifier));
  if (entry === undefined) return { stop: 'not_offered', name: '' };
  const { name } = entry.document;
  const attempt = newAttempt({ providerId: entry.id, browser, aim }, wish.isFresh ?? false, clock.now());
  try {
    const { provider, upstream } = openProvider(dependencies, organization, entry);
    const url = await upstream.request(provider, attempt.secrets, wish);
    await commit(engine, store, attempt.add);
    return { name, url };
  } catch (error) {
    return { ...stopOf(dependencies, { organization, facts, provider: identifier }, error), name };
  }
}
