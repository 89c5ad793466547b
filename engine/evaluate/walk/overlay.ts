import type { Qualifier } from '../../store/change-log.ts';

export interface OverlayTuple {
  readonly object: number;
  /** `object kind << 16 | subject kind`, without the qualified bit. */
  readonly kinds: number;
  readonly subject: number;
  readonly qualifier: Qualifier | undefined;
}

/** The contextual tuples of one question, found from either side. One stands in place of a stored equal. */
export class Overlay {
  readonly #byObject = new Map<number, OverlayTuple[]>();
  readonly #bySubject = new Map<number, OverlayTuple[]>();
  readonly #exact = new Map<string, OverlayTuple>();

  add(tuple: OverlayTuple): void {
    const key = `${tuple.object}/${tuple.kinds}/${tuple.subject}`;
    const before = this.#exact.get(key);
    if (before !== undefined) {
      remove(this.#byObject, before.object, before);
      remove(this.#bySubject, before.subject, before);
    }
    this.#exact.set(key, tuple);
    append(this.#byObject, tuple.object, tuple);
    append(this.#bySubject, tuple.subject, tuple);
  }

  ofObject(object: number): readonly OverlayTuple[] {
    return this.#byObject.get(object) ?? [];
  }

  ofSubject(subject: number): readonly OverlayTuple[] {
    return this.#bySubject.get(subject) ?? [];
  }

  /** Is a stored tuple hidden by a contextual one? `kinds` with or without the qualified bit. */
  hides(object: number, kinds: number, subject: number): boolean {
    return this.#exact.has(`${object}/${kinds & 0x7fff7fff}/${subject}`);
  }
}

function append(map: Map<number, OverlayTuple[]>, key: number, tuple: OverlayTuple): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [tuple]);
  else list.push(tuple);
}

function remove(map: Map<number, OverlayTuple[]>, key: number, tuple: OverlayTuple): void {
  map.set(
    key,
    (map.get(key) ?? []).filter((each) => each !== tuple),
  );
}
