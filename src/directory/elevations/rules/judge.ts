import type { Store } from '#engine';
import { ProblemError } from '../../../http/index.ts';
import { type AdminDependencies, sameRights, type Transaction } from '../../../kernel/transactions/index.ts';
import { tryCondition } from '../../policies/index.ts';
import { type AgentEntry, type TaskEntry, type TaskRecord, userSubject } from '../../records/index.ts';
import { lend, refuse } from '../decide/lend.ts';
import { firstNotLendable } from '../decide/lendable.ts';
import { coversScope, type RuleEntry, type RuleRecord, ruleRecords, rulesOf } from './rule-record.ts';

/**
 * What the rules of the organization make of a task that has just been asked for, or that asks for more now: denied where
 * any rule denies one of its scopes; else approved by the first rule that covers all of them, where its lender holds
 * them now. Otherwise it waits for a person, as it does where a rule that could deny cannot be evaluated.
 */
export function applyRules(transaction: Transaction<AdminDependencies>, entry: TaskEntry, agent: AgentEntry): void {
  const { store } = transaction;
  const rules = rulesOf(store);
  if (rules.length === 0) return;
  // they must be the same when the task is put on record
  for (const rule of rules) transaction.rely(ruleRecords, rule);
  transaction.expect([ruleRecords.fewerThan(store, rules.length + 1)]);
  const asked: Asked = { store, entry, agent, now: transaction.now };
  for (const rule of rules.filter(({ document }) => document.effect === 'deny' && touches(document, entry.document))) {
    const outcome = holds(rule.document, asked);
    if (outcome === 'failed') return;
    if (!outcome) continue;
    refuse(transaction, entry, { by: rule.id, byType: 'rule' }, rule.document.name);
    return;
  }
  for (const rule of rules.filter(
    ({ document }) => document.effect === 'approve' && coversAll(document, entry.document),
  )) {
    const lenderId = lenderOf(transaction, rule, entry.document);
    if (lenderId === undefined || holds(rule.document, asked) !== true) continue;
    transaction.expect(sameRights(store, [userSubject(lenderId)]));
    const { scopes, resources, seconds } = entry.document;
    lend(transaction, entry, { by: rule.id, byType: 'rule' }, { lenderId, scopes, resources, seconds });
    return;
  }
}

interface Asked {
  readonly store: Store;
  readonly entry: TaskEntry;
  readonly agent: AgentEntry;
  readonly now: number;
}

function isFor({ agents }: RuleRecord, { agentId }: TaskRecord): boolean {
  return agents === undefined || agents.includes(agentId);
}

function touches(rule: RuleRecord, task: TaskRecord): boolean {
  return isFor(rule, task) && task.scopes.some((slug) => coversScope(rule.scopes, slug));
}

function coversAll(rule: RuleRecord, task: TaskRecord): boolean {
  const isShort = rule.maxSeconds !== undefined && task.seconds <= rule.maxSeconds;
  return isFor(rule, task) && isShort && task.scopes.every((slug) => coversScope(rule.scopes, slug));
}

/** Whoever delegated to the agent, else the lender of the rule: who must hold every scope now. */
function lenderOf(
  { dependencies: { rights }, caller: { organization }, now }: Transaction<AdminDependencies>,
  { document: rule }: RuleEntry,
  { approverId, scopes, resources }: TaskRecord,
): string | undefined {
  const userId = approverId ?? rule.lenderId;
  if (userId === undefined) return undefined;
  return firstNotLendable({ organization, rights, userId, now }, scopes, resources) === undefined ? userId : undefined;
}

/** The engine evaluates it, as the condition of a policy. What it lacks, or fails on, holds for nothing. */
function holds({ condition }: RuleRecord, { store, entry, agent, now }: Asked): boolean | 'failed' {
  if (condition === undefined) return true;
  try {
    const trial = tryCondition(
      store,
      condition,
      { subject: agentAttributes(agent), resource: taskAttributes(entry) },
      now,
    );
    return trial.error === null && trial.missing.length === 0 ? trial.applies : 'failed';
  } catch (error) {
    if (error instanceof ProblemError) return 'failed';
    throw error;
  }
}

function agentAttributes({ id, document: { name, type, ownerId } }: AgentEntry) {
  return { type: 'agent', id, name, agentType: type, ...(ownerId === undefined ? {} : { ownerId }) };
}

function taskAttributes({ id, document }: TaskEntry) {
  const { description, scopes, resources, seconds, approverId } = document;
  return {
    type: 'task',
    id,
    description,
    scopes,
    seconds,
    isDelegated: approverId !== undefined,
    isForAll: resources === undefined,
    resources: resources ?? [],
  };
}
