import { EngineError } from '../../../errors.ts';
import type { Tables } from '../../../store/environment.ts';
import { readParts, removePart, writePart } from '../../../store/log/stream-parts.ts';
import type { Produced } from '../../../store/log/stream-progress.ts';
import { type CommandPart, decodePart, encodePart } from './command-part.ts';

/** What has come of one command. */
interface PartialCommand {
  /** Bytes of the whole command. */
  readonly of: number;
  readonly parts: readonly CommandPart[];
  /** Bytes that are there. */
  readonly bytes: number;
  /** Number and time of the message of the last part. */
  readonly last: Produced;
}

/** Without another part for so long, by the stream's own clock, the rest does not come any more. */
const PART_MS = 10 * 60_000;
/** Of all that are not whole: the one that waits longest for its next part is forgotten first. */
const PARTIAL_BYTES_MAX = 256 * 2 ** 20;

/** The commands of which some parts have come, by their producers in hexadecimal: a producer sends one at a time. */
export class PartialCommands {
  readonly #tables: Tables;
  #kept: ReadonlyMap<string, PartialCommand>;

  /** As the store has them. */
  constructor(tables: Tables, producers: ReadonlyMap<string, Produced>) {
    this.#tables = tables;
    this.#kept = keptIn(tables, producers);
  }

  /** What becomes of them by messages that are about to be applied. */
  draft(): PartsDraft {
    return new PartsDraft(this.#kept);
  }

  /** Belongs to the transaction that applies the messages. */
  write(draft: PartsDraft): void {
    for (const [producer, { parts }] of this.#kept) {
      const left = draft.partial.get(producer)?.parts;
      for (const [i, part] of parts.entries()) {
        if (left?.[i] !== part) removePart(this.#tables, { producer, at: part.at });
      }
    }
    for (const [producer, { parts }] of draft.partial) {
      const kept = this.#kept.get(producer)?.parts;
      for (const [i, part] of parts.entries()) {
        if (kept?.[i] !== part) writePart(this.#tables, { producer, at: part.at, bytes: encodePart(part) });
      }
    }
  }

  /** The transaction is done. */
  become(draft: PartsDraft): void {
    this.#kept = draft.partial;
  }
}

/** Decides by what stands in the messages alone, one after the other, so that every node decides the same. */
export class PartsDraft {
  readonly #partial: Map<string, PartialCommand>;

  constructor(kept: ReadonlyMap<string, PartialCommand>) {
    this.#partial = new Map(kept);
  }

  get partial(): ReadonlyMap<string, PartialCommand> {
    return this.#partial;
  }

  /** At every message: what waits since long before is forgotten. */
  at(time: number): void {
    for (const [producer, { last }] of this.#partial) if (last.time < time - PART_MS) this.#partial.delete(producer);
  }

  /** Another message of this producer came: the rest of its command does not. */
  end(producer: string): void {
    this.#partial.delete(producer);
  }

  /**
   * Takes the next part of a command. Answers the whole command when this was its last part, `more` where others are to come,
   * and `incomplete` where one before it is not there.
   */
  add(producer: string, from: Produced, part: CommandPart): Uint8Array | 'more' | 'incomplete' {
    const before = part.at === 0 ? undefined : this.#partial.get(producer);
    this.#partial.delete(producer);
    if (part.at > 0) {
      const isNext = before?.bytes === part.at && before.of === part.of && before.last.number + 1 === from.number;
      if (!isNext) return 'incomplete';
    }
    const parts = [...(before?.parts ?? []), part];
    const bytes = part.at + part.bytes.length;
    if (bytes === part.of) return Buffer.concat(parts.map((each) => each.bytes));
    this.#partial.set(producer, { of: part.of, parts, bytes, last: from });
    this.#bound();
    return 'more';
  }

  #bound(): void {
    let bytes = 0;
    for (const each of this.#partial.values()) bytes += each.bytes;
    if (bytes <= PARTIAL_BYTES_MAX) return;
    for (const [producer, each] of [...this.#partial].toSorted(oldestFirst)) {
      if (bytes <= PARTIAL_BYTES_MAX) return;
      bytes -= each.bytes;
      this.#partial.delete(producer);
    }
  }
}

type Entry = readonly [producer: string, command: PartialCommand];

/** The same order on every node, whatever it has read again from its store. */
function oldestFirst([one, { last }]: Entry, [other, { last: than }]: Entry): number {
  return last.time - than.time || (one < other ? -1 : 1);
}

function keptIn(tables: Tables, producers: ReadonlyMap<string, Produced>): Map<string, PartialCommand> {
  const kept = new Map<string, PartialCommand>();
  for (const { producer, bytes: encoded } of readParts(tables)) {
    const part = decodePart(encoded);
    const parts = [...(kept.get(producer)?.parts ?? []), part];
    // its last message was that of the last part, because any other one ends the command
    const last = producers.get(producer);
    if (last === undefined) throw new EngineError('corrupt', 'parts of a command are kept, and not who sent them');
    kept.set(producer, { of: part.of, parts, bytes: part.at + part.bytes.length, last });
  }
  return kept;
}
