import { readFileSync } from 'node:fs';
import type { Change, Store } from '../../../engine/index.ts';
import { parseModel } from '../../../engine/index.ts';
import type { Mapping, UnmappedReason } from '../../../src/access/ask/mapping/mapping.ts';
import { collectEntries } from '../../../src/access/ask/vocabulary/collect-entries.ts';
import { Vocabulary } from '../../../src/access/ask/vocabulary/vocabulary.ts';
import { groupRecords, putPermission, roleRecords, systemRecords } from '../../../src/directory/records/index.ts';
import { loadSystemModel } from '../../../src/kernel/rights/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

interface Text {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export interface LabelledOrganization {
  readonly name: string;
  readonly permissions: readonly Text[];
  readonly roles: readonly { readonly slug: string; readonly permissions: readonly string[] }[];
  readonly groups: readonly string[];
  readonly model: readonly string[];
  /** `AGENT` stands for whoever asks. */
  readonly tuples: readonly string[];
}

export interface LabelledQuestion {
  readonly question: string;
  readonly context?: { readonly resource?: string | { readonly type: string; readonly id: string } };
  readonly permission?: string;
  readonly resource?: string;
  readonly relation?: string;
  readonly object?: string;
  readonly unmappable?: UnmappedReason;
}

export const organizationNames = ['hospital', 'software', 'shop'] as const;
export type Half = 'held-out' | 'tuning';

const folder = new URL('./', import.meta.url);

export function organizationOf(name: string): LabelledOrganization {
  return JSON.parse(readFileSync(new URL(`organizations/${name}.json`, folder), 'utf8'));
}

export function questionsOf(half: Half, name: string): LabelledQuestion[] {
  return JSON.parse(readFileSync(new URL(`questions/${half}/${name}.json`, folder), 'utf8'));
}

/** `%P` stands for what is asked for. */
export function injectedQuestions(action: string): string[] {
  const texts: string[] = JSON.parse(readFileSync(new URL('questions/injected.json', folder), 'utf8'));
  return texts.map((text) => text.replaceAll('%P', action));
}

/** The records and the model of an organization, in a store of their own. */
export async function withOrganization<T>(name: string, task: (store: Store) => T): Promise<T> {
  const scratch = await ScratchEngine.open();
  try {
    const store = await scratch.engine.createStore(`org:${name}`);
    const { changes, dsl } = recordsOf(organizationOf(name), store);
    await scratch.engine.submit(scratch.engine.command(changes));
    await store.writeModel({ dsl }, { base: loadSystemModel().model });
    return scratch.engine.read(() => task(store));
  } finally {
    await scratch.close();
  }
}

export function vocabularyOf(name: string): Promise<Vocabulary> {
  return withOrganization(name, (store) => new Vocabulary(collectEntries(store)));
}

function recordsOf({ permissions, roles, groups, model }: LabelledOrganization, at: Store) {
  let id = 0;
  const newId = (): string => String(++id).padStart(12, '0');
  const times = { createdAt: 1, updatedAt: 1 };
  const changes: Change[] = [
    ...systemRecords(at, newId, 1),
    ...permissions.map((text, place) =>
      putPermission(at, { ...text, number: 1000 + place, isSystem: false, ...times }),
    ),
    ...roles.map(({ slug }) =>
      roleRecords.put(at, newId(), { slug, name: slug, description: '', isSystem: false, ...times }),
    ),
    ...groups.map((group) =>
      groupRecords.put(at, newId(), { name: group, displayName: group, description: '', ...times }),
    ),
  ];
  const dsl = model.join('\n');
  parseModel({ dsl }, { base: loadSystemModel().model });
  return { changes, dsl };
}

/** What a question was mapped to, in the form of its label. */
export function labelOf(mapping: Mapping): string {
  const [first] = mapping.readings;
  if (!mapping.isMapped || first === undefined) return 'unmappable';
  if (first.kind === 'relation') return `${first.object.type}:${first.object.id}#${first.relation}`;
  const { permission, resource } = first;
  return resource === undefined ? permission : `${permission} on ${resource.type}:${resource.id}`;
}

export function expectedLabel({ permission, resource, relation, object }: LabelledQuestion): string {
  if (relation !== undefined) return `${object}#${relation}`;
  if (permission === undefined) return 'unmappable';
  return resource === undefined ? permission : `${permission} on ${resource}`;
}

export function resourceOf({ context }: LabelledQuestion) {
  const resource = context?.resource;
  if (typeof resource !== 'string') return resource;
  const colon = resource.indexOf(':');
  return { type: resource.slice(0, colon), id: resource.slice(colon + 1) };
}
