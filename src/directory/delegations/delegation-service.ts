import { EngineError, parseObject, type Store } from '#engine';
import type { AuditEvent, RequestFacts } from '../../kernel/audit/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  existing,
  invalid,
  notFound,
  type OrganizationTransaction,
  refused,
  transactAs,
} from '../../kernel/transactions/index.ts';
import { isoTime } from '../../platform/index.ts';
import { said } from '../../texts/index.ts';
import {
  activeUser,
  agentRecords,
  type DelegationEntry,
  type DelegationRecord,
  delegationRecords,
  findPermission,
  userActing,
} from '../records/index.ts';
import type { NewDelegation } from './delegation-bodies.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_MAX = 90;
/** Of one user. */
export const DELEGATIONS_MAX = 100;

/** Who delegates, by which request. */
export interface DelegatingUser {
  readonly organization: Organization;
  readonly userId: string;
  readonly facts: RequestFacts;
  /** Called in the snapshot that judges. Throws where the credential of the request may not do it any more. */
  readonly judge?: () => void;
}

/**
 * Lets an agent act in a user's name. It gives nothing: at each decision user and agent must both be allowed, so that
 * the user need not hold the permissions now.
 * @returns the id of the delegation
 * @throws ProblemError 400 where the agent, a permission or an object is none; 422 where the user has too many
 */
export function createDelegation(
  dependencies: AdminDependencies,
  by: DelegatingUser,
  wish: NewDelegation,
): Promise<string> {
  const { organization, userId, facts } = by;
  const { store } = organization;
  const actor = userActing(userId);
  return transactAs(dependencies, organization, actor, facts, (transaction) => {
    by.judge?.();
    existing(activeUser(store, userId));
    const agent = transaction.get(agentRecords, wish.agentId);
    if (agent === undefined || !agent.document.isActive)
      throw invalid('agentId', 'there is no such active agent', said('refusals.noAgent'));
    if (delegationRecords.index(store).count('user', userId) >= DELEGATIONS_MAX) {
      throw refused(said('refusals.delegationsMax', { count: DELEGATIONS_MAX }));
    }
    transaction.expect([delegationRecords.fewerWith(store, ['user', userId], DELEGATIONS_MAX)]);
    const id = transaction.newId();
    const document = documentOf(store, userId, wish, transaction.now);
    transaction.put(delegationRecords, id, document);
    transaction.audit(aboutDelegation('create', { id, document }));
    return id;
  });
}

/** What a user has delegated and is not over, in the order of creation. To be called inside a snapshot. */
export function delegationsOf(store: Store, userId: string, now: number): DelegationEntry[] {
  const ids = delegationRecords.index(store).ids('user', userId, { limit: DELEGATIONS_MAX });
  return delegationRecords.found(store, ids).filter(({ document }) => now < document.expiresAt);
}

/**
 * Ends one delegation of the user's own. Tokens by it fail with their next request.
 * @throws ProblemError 404 where it is none, or somebody else's
 */
export function withdrawDelegation(dependencies: AdminDependencies, by: DelegatingUser, id: string): Promise<void> {
  const { organization, userId, facts } = by;
  return transactAs(dependencies, organization, userActing(userId), facts, (transaction) => {
    by.judge?.();
    const entry = transaction.existing(delegationRecords, id);
    if (entry.document.userId !== userId || transaction.now >= entry.document.expiresAt) throw notFound();
    withdraw(transaction, entry);
  });
}

/** Ends a delegation that was read through the transaction. */
export function withdraw(transaction: OrganizationTransaction, entry: DelegationEntry): void {
  transaction.delete(delegationRecords, entry.id);
  transaction.audit(aboutDelegation('withdraw', entry));
}

function aboutDelegation(verb: string, { id, document }: Pick<DelegationEntry, 'id' | 'document'>): AuditEvent {
  const { userId, agentId, scopes, resources, expiresAt } = document;
  return {
    eventType: 'admin.action',
    action: `delegation.${verb}`,
    targetType: 'delegation',
    targetId: id,
    metadata: { userId, agentId, scopes, resources: resources ?? null, expiresAt: isoTime(expiresAt) },
  };
}

function documentOf(store: Store, userId: string, wish: NewDelegation, now: number): DelegationRecord {
  const { agentId, resources } = wish;
  const scopes = [...new Set(wish.scopes)];
  for (const [index, slug] of scopes.entries()) {
    if (findPermission(store, slug) !== undefined) continue;
    const none = said('refusals.noPermission', { permission: slug });
    throw invalid(`scopes[${index}]`, `there is no permission ${slug}`, none);
  }
  const expiresAt = wish.expiresAt === undefined ? now + DEFAULT_DAYS * DAY_MS : Date.parse(wish.expiresAt);
  if (expiresAt <= now) throw invalid('expiresAt', 'must be in the future');
  if (expiresAt > now + DAYS_MAX * DAY_MS) throw invalid('expiresAt', `must be within ${DAYS_MAX} days`);
  const document = { userId, agentId, scopes, createdAt: now, expiresAt };
  return resources === undefined ? document : { ...document, resources: requireObjects(resources) };
}

function requireObjects(resources: readonly string[]): string[] {
  for (const [index, resource] of resources.entries()) {
    try {
      parseObject(resource);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw invalid(`resources[${index}]`, 'must be an object: type:id');
    }
  }
  return [...new Set(resources)];
}
