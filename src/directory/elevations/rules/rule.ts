import type { z } from 'zod';
import { sortFields } from '../../../kernel/lists/index.ts';
import type { Resource } from '../../../kernel/resources/index.ts';
import { invalid, requireHeldPermission, type Transaction, taken } from '../../../kernel/transactions/index.ts';
import { isoTime } from '../../../platform/index.ts';
import { requireCondition } from '../../policies/index.ts';
import { agentRecords, countsNow, userNamed } from '../../records/index.ts';
import { requireScope } from '../decide/lendable.ts';
import {
  isPattern,
  newRuleBody,
  RULES_MAX,
  type RuleBody,
  type RuleEntry,
  type RuleRecord,
  replacedRuleBody,
  ruleRecords,
  ruleSchema,
} from './rule-record.ts';

/** Rules by which tasks of agents are approved or denied without a person. */
export const rule: Resource<RuleRecord, RuleBody, RuleBody> = {
  records: ruleRecords,
  name: 'elevation_rule',
  title: 'rule',
  path: 'elevations/rules',
  parameter: 'ruleId',
  tags: ['Elevations'],
  view: { schema: () => ruleSchema, of: (_, entry) => ruleView(entry) },
  audited: ({ document: { name, effect } }) => ({ metadata: { rule: name, effect } }),
  list: {
    summary: 'List the rules that decide about tasks of agents',
    right: 'agents.manage',
    definition: {
      text: ({ name, scopes }) => [name, ...scopes],
      sorts: sortFields('order', 'name', 'createdAt'),
      filters: {},
    },
  },
  read: { summary: 'Get a rule that decides about tasks of agents', right: 'agents.manage' },
  create: {
    summary: 'Create a rule that decides about tasks of agents',
    description:
      'A task is denied where any rule denies one of its scopes; else it is approved by the first rule that covers all ' +
      'of them, where the lender holds them then: whoever has delegated to the agent, else `lenderId`. A condition that ' +
      'fails approves nothing. The caller must hold the scopes; one that approves, as it lends what others hold, and scopes ' +
      'with `*` need full administration.',
    right: 'agents.manage',
    errors: ['conflict', 'refused'],
    body: () => newRuleBody,
    create(transaction, said) {
      const { now, store } = transaction;
      const body = withLender(transaction, said);
      transaction.requireFewer(ruleRecords, RULES_MAX, `An organization can have ${RULES_MAX} rules.`);
      requireFreeName(transaction, body.name);
      requireHeld(transaction, body.scopes);
      requireLending(transaction, body);
      requireMeaning(transaction, body);
      if (body.condition !== null) requireCondition(store, body.condition);
      return { id: transaction.newId(), document: recordOf(body, { createdAt: now, updatedAt: now }) };
    },
  },
  change: {
    summary: 'Replace a rule that decides about tasks of agents',
    description:
      'The caller must hold the scopes that it had, and those that it gets. One that approves needs full administration.',
    right: 'agents.manage',
    errors: ['conflict', 'refused'],
    forms: () => [{ method: 'PUT', body: replacedRuleBody }],
    change(transaction, entry, said) {
      const body = withLender(transaction, said);
      const { createdAt, updatedAt, scopes } = entry.document;
      requireFreeName(transaction, body.name, entry.id);
      requireHeld(transaction, [...scopes, ...body.scopes]);
      requireLending(transaction, body);
      requireMeaning(transaction, body);
      if (body.condition !== null) requireCondition(transaction.store, body.condition);
      return { document: recordOf(body, { createdAt, updatedAt }) };
    },
  },
  delete: {
    summary: 'Delete a rule that decides about tasks of agents',
    description: 'The caller must hold its scopes. What was lent by it stays.',
    right: 'agents.manage',
    delete: (transaction, { document: { scopes } }) => requireHeld(transaction, scopes),
  },
};

function ruleView({ id, document }: RuleEntry): z.output<typeof ruleSchema> {
  const { agents, maxSeconds = null, condition = null, lenderId = null, scopes, createdAt, updatedAt } = document;
  const { name, effect, order } = document;
  return {
    id,
    name,
    effect,
    agents: agents === undefined ? null : [...agents],
    scopes: [...scopes],
    maxSeconds,
    condition,
    lenderId,
    order,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

function recordOf(
  { name, effect, agents, scopes, maxSeconds, condition, lenderId, order }: RuleBody,
  times: Pick<RuleRecord, 'createdAt' | 'updatedAt'>,
): RuleRecord {
  return {
    name,
    effect,
    scopes,
    order,
    ...(agents === null ? {} : { agents }),
    ...(maxSeconds === null ? {} : { maxSeconds }),
    ...(condition === null ? {} : { condition }),
    ...(lenderId === null ? {} : { lenderId }),
    ...times,
  };
}

function requireFreeName({ store }: Transaction, name: string, own?: string): void {
  const rival = ruleRecords.byUnique(store, 'name', name.toLowerCase());
  if (rival !== undefined && rival.id !== own) throw taken('name', `There is a rule ${rival.document.name}.`);
}

/**
 * A rule says what becomes of its scopes: only who holds them says so, and who covers scopes that are yet to come holds
 * everything. @throws ProblemError 403
 */
function requireHeld(transaction: Transaction, scopes: readonly string[]): void {
  if (scopes.some(isPattern)) transaction.require('settings.manage');
  for (const slug of new Set(scopes)) if (!isPattern(slug)) requireHeldPermission(transaction, slug);
}

/**
 * A rule that approves lends what somebody else holds, who is not asked: with the same scope that may be more than the
 * author has, such as documents that were shared with the lender. @throws ProblemError 403
 */
function requireLending(transaction: Transaction, { effect }: RuleBody): void {
  if (effect === 'approve') transaction.require('settings.manage');
}

/** The lender by id. @throws ProblemError 400 where there is none who can act */
function withLender({ caller }: Transaction, body: RuleBody): RuleBody {
  const { lenderId } = body;
  if (lenderId === null) return body;
  const lender = userNamed(caller, lenderId);
  if (lender === undefined || !countsNow(lender.document)) {
    throw invalid('lenderId', `there is no user ${lenderId} who can act`);
  }
  return { ...body, lenderId: lender.id };
}

/** What a rule names is there, and what it says makes sense together. @throws ProblemError 400, 422 */
function requireMeaning(transaction: Transaction, { effect, scopes, agents, maxSeconds, lenderId }: RuleBody): void {
  for (const [index, slug] of scopes.entries()) {
    if (!isPattern(slug)) requireScope(transaction, slug, `scopes[${index}]`);
  }
  for (const [index, id] of (agents ?? []).entries()) {
    if (agentRecords.get(transaction.store, id) === undefined)
      throw invalid(`agents[${index}]`, 'there is no such agent');
  }
  if (effect === 'approve' && maxSeconds === null) throw invalid('maxSeconds', 'is required of a rule that approves');
  if (effect === 'deny' && maxSeconds !== null) throw invalid('maxSeconds', 'is for rules that approve');
  if (effect === 'deny' && lenderId !== null) throw invalid('lenderId', 'is for rules that approve');
}
