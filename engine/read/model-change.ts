import type { Reader, View } from '../evaluate/reader.ts';
import type { DirectSubject, Model } from '../model/model.ts';
import { nodeName } from '../store/catalog.ts';
import { QUALIFIED, scanned } from '../store/edge-key.ts';
import { readShapes, type Shape } from '../store/shapes.ts';

const SAMPLES_MAX = 20;
/** How many tuples are looked at to find samples; the counts are exact whatever it is. */
const SEARCH_MAX = 200_000;

/** Stored tuples that a model does not allow. They stay stored, and are skipped while it is the latest. */
export interface OrphanReport {
  readonly count: number;
  readonly shapes: readonly {
    /** `type#relation@subject` as a model would have to allow it, with its condition. */
    readonly shape: string;
    readonly count: number;
  }[];
  /** Some of them, as `object#relation@subject`. */
  readonly samples: readonly string[];
}

/** Every (type, relation) pair that a store must know to hold tuples of this model. */
export function modelKinds(model: Model): [string, string][] {
  const kinds: [string, string][] = [];
  for (const [type, definition] of model.types) {
    kinds.push([type, ''], [type, '*']);
    for (const relation of definition.relations.keys()) kinds.push([type, relation]);
  }
  return kinds;
}

/** Counted from the shapes that the store keeps, so that it costs the same at any number of tuples. */
export function orphansOf(reader: Reader, view: View, model: Model): OrphanReport {
  const orphaned = readShapes(reader.tables, view.number).filter((shape) => !allows(model, view, shape));
  return {
    count: orphaned.reduce((sum, { count }) => sum + count, 0),
    shapes: orphaned.map((shape) => ({ shape: shapeText(view, shape), count: shape.count })),
    samples: orphaned.length === 0 ? [] : findSamples(reader, view, orphaned),
  };
}

function allows(model: Model, view: View, shape: Shape): boolean {
  const objectKind = shape.kinds >>> 16;
  const subjectKind = shape.kinds & 0x7fff;
  const relation = model.types.get(view.kinds.type(objectKind))?.relations.get(view.kinds.relation(objectKind));
  const type = view.kinds.type(subjectKind);
  const of = view.kinds.relation(subjectKind);
  return (relation?.directSubjects ?? []).some(
    (subject) => subject.type === type && suffix(subject) === of && (subject.condition ?? '') === shape.condition,
  );
}

function suffix(subject: DirectSubject): string {
  return subject.wildcard ? '*' : (subject.relation ?? '');
}

function shapeText(view: View, shape: Shape): string {
  const objectKind = shape.kinds >>> 16;
  const subjectKind = shape.kinds & 0x7fff;
  const of = view.kinds.relation(subjectKind);
  const subject = of === '' ? '' : of === '*' ? ':*' : `#${of}`;
  const condition = shape.condition === '' ? '' : ` with ${shape.condition}`;
  return `${view.kinds.type(objectKind)}#${view.kinds.relation(objectKind)}@${view.kinds.type(subjectKind)}${subject}${condition}`;
}

function findSamples(reader: Reader, view: View, orphaned: readonly Shape[]): string[] {
  const wanted = new Set(orphaned.map(({ kinds }) => kinds));
  const found: [number, number, number][] = [];
  const start = { store: view.number, node: 0, kinds: 0, other: 0, size: 4 };
  let looked = 0;
  for (const _ of reader.tables.forward.getKeys({ start, limit: SEARCH_MAX })) {
    if (scanned.store !== view.number || ++looked > SEARCH_MAX) break;
    if (!wanted.has(scanned.kinds)) continue;
    if (found.push([scanned.node, scanned.kinds, scanned.other]) >= SAMPLES_MAX) break;
  }
  return found.map(([object, kinds, subject]) => tupleText(reader, view, object, kinds, subject));
}

/** `object#relation@subject` of an edge. */
export function tupleText(reader: Reader, view: View, object: number, kinds: number, subject: number): string {
  return `${nodeName(reader.tables, view.number, object)}#${view.kinds.relation(kinds >>> 16)}@${subjectText(reader, view, kinds & ~QUALIFIED & 0x7fff, subject)}`;
}

export function subjectText(reader: Reader, view: View, subjectKind: number, subject: number): string {
  const of = view.kinds.relation(subjectKind);
  if (of === '*') return `${view.kinds.type(subjectKind)}:*`;
  const name = nodeName(reader.tables, view.number, subject);
  return of === '' ? name : `${name}#${of}`;
}
