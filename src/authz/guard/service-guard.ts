import {
  type Access,
  type Guard,
  Problem,
  problem,
  tooManyRequests,
  unauthenticated,
  type Visit,
} from '../../http/index.ts';
import type { Guesses } from '../../limits/index.ts';
import type { Caller, Organization, OrganizationDirectory } from '../../orgs/index.ts';
import { digestOf, equalSecrets } from '../../platform/index.ts';
import { type SystemPermission, scopeCovers } from '../../rights/index.ts';
import { type Judgement, SuperAdministrator } from './callers.ts';
import { readCredential } from './credentials.ts';
import { KeyCallers } from './key-callers.ts';
import { type AccessTokens, type TokenCaller, TokenCallers } from './token-callers.ts';

/** Whoever may call the platform's own endpoints; there is no organization then. */
export const platformCaller = { kind: 'platform' } as const;

export type ServiceCaller = Caller | typeof platformCaller;

export interface GuardParts extends Judgement {
  readonly directory: OrganizationDirectory;
  /** `digestOf` the super administrator's key. */
  readonly platformDigest: string;
  /** Writes the `super_admin.access` entry of an organization; resolves when it is on disk. */
  readonly recordSuperAccess: (caller: Caller, visit: Visit) => Promise<void>;
  readonly guesses: Pick<Guesses, 'waitBefore' | 'accepted' | 'refused'>;
  /** Told of every accepted key, for its time of last use. */
  readonly keyUsed: (caller: Caller, keyId: string) => void;
  readonly tokens: AccessTokens;
  /** Told of every accepted access token, for its time of last use. */
  readonly tokenUsed: (caller: Caller, tokenId: string) => void;
}

/**
 * The one guard: who is it, and does the engine allow it now? Both answer in the turn of the request, except that an
 * access of the super administrator is on record before it happens.
 */
export class ServiceGuard implements Guard<ServiceCaller> {
  readonly #parts: GuardParts;
  readonly #keys: KeyCallers;
  readonly #tokens: TokenCallers;

  constructor(parts: GuardParts) {
    this.#parts = parts;
    this.#keys = new KeyCallers(parts);
    this.#tokens = new TokenCallers(parts, parts.tokens);
  }

  authenticate(visit: Visit): ServiceCaller | Problem | Promise<ServiceCaller | Problem> {
    const credential = readCredential(visit);
    switch (credential.kind) {
      case 'none':
        return unauthenticated();
      case 'conflict':
        return unauthenticated('Two credentials were sent, and they differ.', 'invalid_token');
      case 'malformed':
        return unauthenticated('The credential cannot be read.', 'invalid_token');
      case 'token':
        return this.#bearer(visit, credential.token);
      default:
        return this.#judged(visit, credential.key);
    }
  }

  authorize(caller: ServiceCaller, access: Access, visit: Visit): Problem | undefined | Promise<Problem | undefined> {
    if ('kind' in caller) return access === 'platform' ? undefined : problem('forbidden');
    if (access === 'platform') return problem('forbidden');
    if (caller.subject === undefined) return this.#parts.recordSuperAccess(caller, visit).then(() => undefined);
    if (typeof access === 'string') return undefined;
    // endpoints name permissions of the system's table; one that is none is held by nobody
    if (caller.may(access.permission as SystemPermission)) return undefined;
    return scopeCovers(caller.scopes, access.permission)
      ? problem('forbidden', missing(access.permission))
      : outOfScope(access.permission);
  }

  /** One that was proved before is judged in this turn. */
  #bearer(visit: Visit, token: string): ServiceCaller | Problem | Promise<ServiceCaller | Problem> {
    const { engine, directory } = this.#parts;
    if (visit.endpoint.access === 'platform') return this.#refused(visit);
    const slug = visit.params.tenant ?? visit.params.orgId ?? '';
    const known = engine.read(() => {
      const organization = directory.find(slug);
      return organization && { organization, found: this.#tokens.recall(organization, token) };
    });
    if (known === undefined) return this.#refused(visit);
    return known.found === undefined ? this.#prove(visit, known.organization, token) : this.#used(known.found);
  }

  async #prove(visit: Visit, organization: Organization, token: string): Promise<ServiceCaller | Problem> {
    const { guesses } = this.#parts;
    const seconds = guesses.waitBefore(visit.clientAddress(), token);
    if (seconds !== undefined) return tooManyRequests(seconds);
    const found = await this.#tokens.load(organization, token);
    if (found === undefined) return this.#refused(visit);
    guesses.accepted(token);
    return this.#used(found);
  }

  #used({ caller, token }: TokenCaller): Caller {
    this.#parts.tokenUsed(caller, token.id);
    return caller;
  }

  #refused(visit: Visit): Problem {
    this.#parts.guesses.refused(visit.clientAddress());
    return invalid();
  }

  #judged(visit: Visit, key: string): ServiceCaller | Problem {
    const found = this.#parts.engine.read(() => this.#identify(visit, key));
    if (found instanceof Problem && found.kind.status === 401) this.#parts.guesses.refused(visit.clientAddress());
    return found;
  }

  #identify(visit: Visit, key: string): ServiceCaller | Problem {
    const { directory, keyUsed, guesses } = this.#parts;
    const isOfPlatform = visit.endpoint.access === 'platform';
    const organization = isOfPlatform ? undefined : directory.find(visit.params.tenant ?? visit.params.orgId ?? '');
    let found = organization && this.#keys.recall(organization, key);
    if (found === undefined) {
      const seconds = guesses.waitBefore(visit.clientAddress(), key);
      if (seconds !== undefined) return tooManyRequests(seconds);
      found = organization && this.#keys.load(organization, key);
      if (found !== undefined) guesses.accepted(key);
    }
    if (found !== undefined) {
      keyUsed(found.caller, found.id);
      return found.caller;
    }
    if (!this.#isPlatform(key)) return invalid();
    guesses.accepted(key);
    if (isOfPlatform) return platformCaller;
    return organization === undefined ? problem('not_found') : new SuperAdministrator(organization);
  }

  #isPlatform(key: string): boolean {
    return equalSecrets(digestOf(key), this.#parts.platformDigest);
  }
}

/** The same for an unknown organization, so that nobody learns which ones there are. */
function invalid(): Problem {
  return unauthenticated('The credential is not valid here.', 'invalid_token');
}

/** RFC 6750, 3.1: a token with this scope would do. */
function outOfScope(permission: string): Problem {
  return problem('forbidden', `The token has no scope for ${permission}.`, {
    headers: { 'www-authenticate': `Bearer realm="relata", error="insufficient_scope", scope="${permission}"` },
  });
}

function missing(permission: string): string {
  return `This needs the permission ${permission}.`;
}
