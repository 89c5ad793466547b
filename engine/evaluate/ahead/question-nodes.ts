import type { NameTable } from '../../store/name-table.ts';
import { NAME_WORDS, packText } from '../../store/names/pack-name.ts';
import type { BlockCache } from '../graph/block-cache.ts';
import { ComingLists } from './coming-lists.ts';
import { readEach, TOGETHER_MAX } from './read-each.ts';

interface Asked {
  readonly object: string;
  readonly subject: string;
}

/**
 * The nodes of questions about one store, found for all of them before the first is answered, and the lists of their
 * objects on the way. One by one, each question would wait for its names, then for its lists.
 */
export class QuestionNodes {
  readonly #names: NameTable;
  readonly #lists: ComingLists;
  /** Of the object of each question, and behind all of these of its subject. */
  readonly #packed = new Int32Array(2 * TOGETHER_MAX * NAME_WORDS);
  readonly #hashes = new Int32Array(2 * TOGETHER_MAX);
  readonly #nodes = new Uint32Array(2 * TOGETHER_MAX);
  readonly #places = new Int32Array(2 * TOGETHER_MAX);
  /** Uses what is read: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(names: NameTable, lists: BlockCache) {
    this.#names = names;
    this.#lists = new ComingLists(lists, TOGETHER_MAX);
  }

  /** Finds the nodes of at most `TOGETHER_MAX` questions, from one on. */
  find(store: number, questions: readonly Asked[], from: number, count: number): void {
    let names = 0;
    for (let index = 0; index < count; index++) {
      const { object, subject } = questions[from + index] as Asked;
      this.#places[names++] = this.#pack(index, store, object);
      // consecutive questions are often about one subject
      const isOther = index === 0 || subject !== questions[from + index - 1]?.subject;
      if (isOther) this.#places[names++] = this.#pack(TOGETHER_MAX + index, store, subject);
    }
    this.#hasRead[0] = readEach(this.#names.words, this.#places, names);
    for (let index = 0; index < count; index++) {
      const { object, subject } = questions[from + index] as Asked;
      const node = this.#lookUp(index, store, object);
      if (node !== 0) this.#lists.add(store, node);
      const place = TOGETHER_MAX + index;
      const isOther = index === 0 || subject !== questions[from + index - 1]?.subject;
      this.#nodes[place] = isOther ? this.#lookUp(place, store, subject) : (this.#nodes[place - 1] as number);
    }
    this.#lists.read();
  }

  /** The node of a question's object, counted from the first one; 0 where the table of names does not know it. */
  objectOf(index: number): number {
    return this.#nodes[index] as number;
  }

  /** As `objectOf`. */
  subjectOf(index: number): number {
    return this.#nodes[TOGETHER_MAX + index] as number;
  }

  #pack(index: number, store: number, name: string): number {
    const hash = packText(this.#packed, index * NAME_WORDS, store, name);
    this.#hashes[index] = hash;
    return this.#names.placeOf(hash);
  }

  #lookUp(index: number, store: number, name: string): number {
    const hash = this.#hashes[index] as number;
    const node = this.#names.lookUp(hash, store, name, this.#packed, index * NAME_WORDS);
    this.#nodes[index] = node;
    return node;
  }
}
