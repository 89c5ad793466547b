import { findProvider, providerRecords } from '../../../../identity/providers/index.ts';
import { sortFields } from '../../../../kernel/lists/index.ts';
import type { Resource } from '../../../../kernel/resources/index.ts';
import { type AdminDependencies, invalid, type Transaction, taken } from '../../../../kernel/transactions/index.ts';
import { digestOf, type OutboundGuard, randomText } from '../../../../platform/index.ts';
import { requireTarget } from '../../../dispatch/index.ts';
import {
  findIssuer,
  ISSUERS_MAX,
  type IssuerRecord,
  issuerRecords,
  issuerUseRecords,
} from '../records/issuer-record.ts';
import {
  type ChangedIssuer,
  changedIssuerBody,
  issuerSchema,
  issuerView,
  issuerWithSecretSchema,
  type NewIssuer,
  newIssuerBody,
} from './issuer-view.ts';

export interface IssuerDependencies extends AdminDependencies {
  readonly outbound: OutboundGuard;
}

type IssuerTransaction = Transaction<IssuerDependencies>;

const SECRET_LENGTH = 43;

/** Issuers whose security events are believed. */
export const issuer: Resource<IssuerRecord, NewIssuer, ChangedIssuer, IssuerDependencies> = {
  records: issuerRecords,
  name: 'signal_issuer',
  title: 'issuer',
  path: 'signals/issuers',
  parameter: 'issuerId',
  tags: ['Shared signals'],
  view: { schema: () => issuerSchema, of: issuerView },
  audited: ({ document: { name, issuer: url, providerId, isActive } }) => ({
    metadata: { name, issuer: url, providerId, isActive },
  }),
  hidden: ['secretDigest'],
  list: {
    summary: 'List issuers of security events',
    description: 'Those whose events are believed. Searched by name and issuer.',
    right: 'settings.read',
    definition: {
      text: ({ name, issuer: url }) => [name, url],
      sorts: sortFields('name', 'createdAt'),
      filters: {},
    },
  },
  read: { summary: 'One issuer of security events', right: 'settings.read' },
  create: {
    summary: 'Add an issuer of security events',
    description:
      'It can end the sessions and tokens of users who are linked at the provider, and nothing else. It sends its events ' +
      'to `/signals/receive` of the organization. The answer is the only one that shows the secret, where there is one.',
    right: 'settings.manage',
    errors: ['conflict', 'refused'],
    body: () => newIssuerBody,
    schema: issuerWithSecretSchema,
    create(transaction, { requiresSecret, provider, ...body }) {
      const { caller, now } = transaction;
      const refusal = `There are ${ISSUERS_MAX} issuers already: delete one that is no longer used.`;
      transaction.requireFewer(issuerRecords, ISSUERS_MAX, refusal);
      const minted = requiresSecret ? mintIssuerSecret() : undefined;
      const id = transaction.newId();
      const { jwksUri, ...named } = body;
      const document: IssuerRecord = {
        ...named,
        ...(jwksUri === undefined ? {} : { jwksUri }),
        ...(minted === undefined ? {} : { secretDigest: minted.digest }),
        providerId: providerIdOf(transaction, provider),
        createdAt: now,
        createdBy: caller.subject ?? 'platform',
        updatedAt: now,
      };
      requireSound(transaction, id, document);
      return { id, document, once: { secret: minted?.secret ?? null } };
    },
  },
  change: {
    summary: 'Change an issuer of security events',
    description: 'What is not sent stays as it is. One that is not active is refused.',
    right: 'settings.manage',
    errors: ['conflict'],
    forms: () => [
      { method: 'PUT', body: changedIssuerBody },
      { method: 'PATCH', body: changedIssuerBody },
    ],
    change(transaction, { id, document: { jwksUri: uri, secretDigest, ...before } }, changes) {
      const { jwksUri = uri, provider, requiresSecret = secretDigest !== undefined, ...body } = changes;
      if (requiresSecret && secretDigest === undefined)
        throw invalid('requiresSecret', 'needs a secret: rotate-secret');
      const { name = before.name, issuer: url = before.issuer, audience = before.audience, isActive } = body;
      const document: IssuerRecord = {
        ...before,
        name,
        issuer: url,
        audience,
        isActive: isActive ?? before.isActive,
        ...(jwksUri === undefined || jwksUri === null ? {} : { jwksUri }),
        ...(requiresSecret && secretDigest !== undefined ? { secretDigest } : {}),
        ...(provider === undefined || provider === null ? {} : { providerId: providerIdOf(transaction, provider) }),
      };
      requireSound(transaction, id, document);
      return { document };
    },
  },
  rotate: {
    path: 'rotate-secret',
    summary: 'Create or replace the secret of an issuer of security events',
    description: 'The old one fails at once. The answer is the only one that shows the new one.',
    right: 'settings.manage',
    rotate({ now }, { document }) {
      const { secret, digest } = mintIssuerSecret();
      return { document: { ...document, secretDigest: digest, updatedAt: now }, once: { secret } };
    },
  },
  delete: {
    summary: 'Delete an issuer of security events',
    description: 'Its events are refused from then on.',
    right: 'settings.manage',
    delete: (transaction, { id }) => transaction.delete(issuerUseRecords, id),
  },
};

/** A secret that an issuer sends, to be shown once. */
function mintIssuerSecret(): { readonly secret: string; readonly digest: string } {
  const secret = randomText(SECRET_LENGTH);
  return { secret, digest: digestOf(secret) };
}

/** @throws ProblemError 400 */
function providerIdOf(transaction: IssuerTransaction, provider: string): string {
  const entry = findProvider(transaction.store, provider);
  if (entry === undefined) throw invalid('provider', 'is not a sign-in provider');
  transaction.rely(providerRecords, entry);
  return entry.id;
}

/** @throws ProblemError 400, 409 */
function requireSound({ dependencies, store }: IssuerTransaction, id: string, document: IssuerRecord): void {
  const { issuer: url, jwksUri } = document;
  requireTarget(dependencies.outbound, 'issuer', url);
  if (url.includes('?')) throw invalid('issuer', 'must have no query');
  if (jwksUri !== undefined) requireTarget(dependencies.outbound, 'jwksUri', jwksUri);
  const other = findIssuer(store, url);
  if (other !== undefined && other.id !== id) throw taken('issuer', 'There is a record of this issuer already.');
}
