import type { DirectSubject, Model } from '../../../../engine/model/model.ts';
import type { Tuple } from '../../../../engine/tuple.ts';
import { fitsModel } from '../../oracle/edges.ts';
import type { Codons } from './codons.ts';
import { conditionDefinition, conditionNames } from './conditions.ts';

/** The time of every generated question: far from the clock, so that a question which forgets to pass it fails. */
export const NOW = 4_000_000_000_000;

const IDS = ['1', '2', '3', '4', '5', '6'] as const;
/** Few, so that they meet in several tuples. */
const USERS = 3;
const EXPIRIES = [NOW - 1, NOW, NOW + 1] as const;
const CONTEXTS = [{}, {}, { x: 0 }, { x: 9 }, { y: true }, { y: false }, { x: 9, y: false }] as const;
const STRAY_TYPES = ['doc', 'folder', 'team', 'org', 'relic'] as const;
const STRAY_RELATIONS = ['r0', 'r1', 'r2', 'parent', 'lost'] as const;

/** What a tuple of a model can look like: an object's type, its relation, and one of the subjects that are allowed. */
export interface Slot {
  readonly type: string;
  readonly relation: string;
  readonly direct: DirectSubject;
}

/** The slots of a model, those more often that connect things: tuples to users, and parents that rules go through. */
export function slotsOf(model: Model): Slot[] {
  return [...model.types.values()].flatMap((type) =>
    [...type.relations.values()].flatMap((relation) =>
      relation.directSubjects.flatMap((direct) => {
        const slot = { type: type.name, relation: relation.name, direct };
        const connects = relation.name === 'parent' || (direct.type === 'user' && direct.wildcard === undefined);
        return connects ? [slot, slot, slot] : [slot];
      }),
    ),
  );
}

/** A tuple that the slot allows, over `ids` different ids of each type. */
export function generateTuple(codons: Codons, slot: Slot, ids: number): Tuple {
  const object = `${slot.type}:${codons.pick(IDS.slice(0, ids))}`;
  const subject = printSubject(slot.direct, codons.pick(IDS.slice(0, slot.direct.type === 'user' ? USERS : ids)));
  return decorate(codons, { object, relation: slot.relation, subject }, slot.direct.condition);
}

/** The same relationship with another expiry and condition context, and of the conditions that it can have another one. */
export function redecorate(codons: Codons, { object, relation, subject }: Tuple, slots: readonly Slot[]): Tuple {
  const places = slots.filter(
    (slot) => slot.relation === relation && object.startsWith(`${slot.type}:`) && isNamedBy(slot.direct, subject),
  );
  return decorate(codons, { object, relation, subject }, codons.pick(places).direct.condition);
}

function isNamedBy(direct: DirectSubject, subject: string): boolean {
  const [id = ''] = subject.slice(subject.indexOf(':') + 1).split('#');
  return (direct.wildcard ?? false) === (id === '*') && printSubject(direct, id) === subject;
}

function decorate(codons: Codons, triple: Tuple, condition: string | undefined): Tuple {
  const expiry = codons.once(6) ? { expiresAt: codons.pick(EXPIRIES) } : {};
  if (condition === undefined) return { ...triple, ...expiry };
  return { ...triple, condition: { name: condition, ...storedContext(codons, condition) }, ...expiry };
}

/** A stored context only has names that its condition declares. */
function storedContext(codons: Codons, condition: string) {
  const declared = conditionDefinition(condition).parameters;
  const entries = Object.entries(codons.pick(CONTEXTS)).filter(([name]) => declared.has(name));
  return entries.length === 0 ? {} : { context: Object.fromEntries(entries) };
}

/** A tuple that the model has no place for, though it looks like its others; `undefined` where it does fit. */
export function generateStray(codons: Codons, model: Model): { tuple: Tuple; slot: Slot } | undefined {
  const slot = codons.once(2) ? misfit(codons, codons.pick(slotsOf(model))) : generateStraySlot(codons);
  const tuple = generateTuple(codons, slot, 3);
  return fitsModel(model, tuple) ? undefined : { tuple, slot };
}

/** A slot that the model has, but for its condition or its wildcard. */
function misfit(codons: Codons, { type, relation, direct }: Slot): Slot {
  const { condition, wildcard, ...subject } = direct;
  if (subject.relation === undefined && codons.once(3)) {
    return { type, relation, direct: wildcard ? subject : { ...subject, wildcard: true } };
  }
  const other = condition === undefined || codons.once(2) ? { condition: codons.pick(conditionNames) } : {};
  return { type, relation, direct: { ...subject, ...(wildcard ? { wildcard } : {}), ...other } };
}

function generateStraySlot(codons: Codons): Slot {
  const type = codons.pick(STRAY_TYPES);
  return { type, relation: codons.pick(STRAY_RELATIONS), direct: generateStrayDirect(codons) };
}

function generateStrayDirect(codons: Codons): DirectSubject {
  const type = codons.pick(['user', ...STRAY_TYPES]);
  const condition = codons.once(4) ? { condition: codons.pick(conditionNames) } : {};
  switch (codons.below(4)) {
    case 0:
      return { type, wildcard: true, ...condition };
    case 1:
      return type === 'user' ? { type } : { type, relation: codons.pick(STRAY_RELATIONS), ...condition };
    default:
      return { type, ...condition };
  }
}

/** The tuples, the first of each object, relation and subject alone. */
export function distinctTuples(tuples: readonly Tuple[]): Tuple[] {
  const byTriple = new Map<string, Tuple>();
  for (const tuple of tuples) {
    const key = `${tuple.object}#${tuple.relation}@${tuple.subject}`;
    if (!byTriple.has(key)) byTriple.set(key, tuple);
  }
  return [...byTriple.values()];
}

export function printSubject({ type, wildcard, relation }: DirectSubject, id: string): string {
  if (wildcard) return `${type}:*`;
  return relation === undefined ? `${type}:${id}` : `${type}:${id}#${relation}`;
}

/** A subject to suspend: most often a user, else an object that usersets are named by. */
export function generateSuspended(codons: Codons, model: Model): string {
  if (codons.below(4) > 0) return `user:${codons.pick([...IDS.slice(0, USERS), 'unknown'])}`;
  return `${codons.pick([...model.types.keys()])}:${codons.pick(IDS.slice(0, 3))}`;
}

/** Subjects worth asking about: users and usersets, most of them named somewhere, and wildcards. */
export function generateSubject(codons: Codons, model: Model): string {
  const types = [...model.types.values()];
  const choice = codons.below(8);
  if (choice < 4) return `user:${codons.pick(IDS.slice(0, USERS))}`;
  if (choice === 4) return 'user:*';
  const type = codons.pick(types);
  const relations = [...type.relations.keys()];
  const id = codons.pick([...IDS.slice(0, 3), 'unknown']);
  if (choice === 5) return codons.once(3) ? `${type.name}:*` : `${type.name}:${id}`;
  return relations.length === 0 ? `${type.name}:${id}` : `${type.name}:${id}#${codons.pick(relations)}`;
}
