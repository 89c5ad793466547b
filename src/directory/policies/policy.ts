import type { Store } from '#engine';
import { queryBoolean } from '../../http/index.ts';
import { filterFields, sortFields } from '../../kernel/lists/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import { isSystemPermission } from '../../kernel/rights/index.ts';
import { invalid, refused, requireHeldPermission, type Transaction, taken } from '../../kernel/transactions/index.ts';
import { permissionSlugs } from '../assignments/index.ts';
import {
  findPermission,
  grant,
  type PolicyEntry,
  type PolicyRecord,
  permissionRecords,
  policyObject,
  policyRecords,
} from '../records/index.ts';
import {
  changedPolicyBody,
  newPolicyBody,
  policyApplies,
  policySchema,
  policyView,
  replacedPolicyBody,
} from './policy-shapes.ts';
import { applications, possibleApplications, requireCondition } from './policy-tuples.ts';

/** Policies of one organization: each is looked at by the decisions about what it grants. */
const POLICIES_MAX = 1000;

type NewPolicy = Omit<PolicyRecord, 'createdAt' | 'updatedAt'> & {
  readonly permissions: readonly (string | number)[];
};
type PolicyChanges = { readonly [Field in keyof NewPolicy]?: NewPolicy[Field] | undefined };

/** Attribute policies. What one grants, and to whom it applies, are tuples. */
export const policy: Resource<PolicyRecord, NewPolicy, PolicyChanges> = {
  records: policyRecords,
  name: 'policy',
  path: 'policies',
  parameter: 'policyId',
  tags: ['Policies'],
  view: { schema: () => policySchema, of: policyView },
  audited: ({ document: { name } }) => ({ metadata: { policy: name } }),
  list: {
    summary: 'List attribute policies',
    description: 'Searched by name and description.',
    right: 'policies.read',
    definition: {
      text: ({ name, description }) => [name, description],
      sorts: sortFields('name', 'createdAt', 'updatedAt'),
      filters: filterFields('enabled'),
    },
    filters: { enabled: queryBoolean.optional() },
  },
  read: { summary: 'Get an attribute policy', right: 'policies.read' },
  create: {
    summary: 'Create an attribute policy',
    description:
      'It grants its permissions to every user or agent for whom the condition holds. Policies only add: none denies. ' +
      'The caller must hold what it grants, and system permissions are refused.',
    right: 'policies.manage',
    errors: ['conflict', 'refused'],
    body: () => newPolicyBody,
    create(transaction, { permissions: named, ...fields }) {
      const { store, now } = transaction;
      requireFreeName(transaction, fields.name);
      transaction.requireFewer(policyRecords, POLICIES_MAX, `An organization can have ${POLICIES_MAX} policies.`);
      requireCondition(store, fields.condition);
      const permissions = eachOnce(store, named);
      requirePermissions(transaction, permissions);
      const id = transaction.newId();
      const document = { ...fields, createdAt: now, updatedAt: now };
      transaction.write([...grantsOf(id, permissions), ...applications(id, document)]);
      return { id, document, beside: { after: { permissions } } };
    },
  },
  change: {
    summary: 'Change an attribute policy',
    right: 'policies.manage',
    errors: ['conflict', 'refused'],
    forms: () => [
      { method: 'PUT', body: replacedPolicyBody, summary: 'Replace an attribute policy' },
      { method: 'PATCH', body: changedPolicyBody },
    ],
    /** Whoever changes more than names must hold all that the policy grants afterwards. */
    change(transaction, entry, { permissions, ...fields }) {
      const { store } = transaction;
      const before = policyView(store, entry).permissions;
      const wanted = permissions === undefined ? [...before] : eachOnce(store, permissions);
      const document: PolicyRecord = { ...entry.document, ...withoutUndefined(fields) };
      requireFreeName(transaction, document.name, entry.id);
      const outcome = {
        document,
        beside: { before: { permissions: before.toSorted() }, after: { permissions: wanted.toSorted() } },
      };
      if (isWider(entry.document, document) || !isEqual(before.toSorted(), wanted.toSorted())) {
        requireCondition(store, document.condition);
        requirePermissions(transaction, wanted);
      }
      rewriteTuples(transaction, { ...entry, document }, before, wanted);
      return outcome;
    },
  },
  delete: {
    summary: 'Delete an attribute policy',
    right: 'policies.manage',
    delete(transaction, { id }) {
      transaction.deleteObject(policyObject(id));
    },
  },
};

function requireFreeName({ store }: Transaction, name: string, own?: string): void {
  const rival = policyRecords.byUnique(store, 'name', name.toLowerCase());
  if (rival !== undefined && rival.id !== own) throw taken('name', `There is a policy ${rival.document.name}.`);
}

/** @throws ProblemError 400 where two name the same */
function eachOnce(store: Store, named: readonly (string | number)[]): string[] {
  const slugs = permissionSlugs(store, named);
  if (slugs.length < named.length) throw invalid('permissions', 'must not contain duplicates');
  return slugs;
}

/** Policies never guard the service's own endpoints, and give nothing that the caller does not hold. */
function requirePermissions(transaction: Transaction, slugs: readonly string[]): void {
  const { store } = transaction;
  slugs.forEach((slug, index) => {
    const path = `permissions[${index}]`;
    const entry = transaction.rely(permissionRecords, findPermission(store, slug));
    if (entry === undefined) throw invalid(path, `there is no permission ${slug}`);
    if (entry.document.isSystem || isSystemPermission(slug)) {
      throw refused('Policies cannot grant system permissions.', path);
    }
    requireHeldPermission(transaction, slug);
  });
}

/** Whether more than its names changes. */
function isWider(before: PolicyRecord, after: PolicyRecord): boolean {
  const named = { name: '', description: '' };
  return !isEqual({ ...before, ...named }, { ...after, ...named });
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function grantsOf(id: string, permissions: readonly string[]) {
  return permissions.map((slug) => grant(slug, policyApplies(id)));
}

function rewriteTuples(
  transaction: Transaction,
  { id, document }: PolicyEntry,
  before: readonly string[],
  wanted: readonly string[],
): void {
  const kept = applications(id, document);
  const taken = before.filter((slug) => !wanted.includes(slug));
  transaction.erase([
    ...grantsOf(id, taken),
    ...possibleApplications(id).filter(({ subject }) => !kept.some((tuple) => tuple.subject === subject)),
  ]);
  transaction.write([...grantsOf(id, wanted), ...kept]);
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  // the same members, of which those that are undefined are left out
  return Object.fromEntries(defined) as { [K in keyof T]: Exclude<T[K], undefined> };
}
