import type { NameTable } from '../../store/name-table.ts';
import { NAME_WORDS, packOctets } from '../../store/names/pack-name.ts';
import type { BlockCache } from '../graph/block-cache.ts';
import { ComingLists } from './coming-lists.ts';
import { readEach } from './read-each.ts';

/** Names of one question: its object and its subject. */
const NAMES_MAX = 2;
/** A longer text is not searched for names. */
const TEXT_MAX = 256;
const QUOTE = 0x22;
const COLON = 0x3a;
/** `s` and `u`: fields that begin so name a subject or a user, whose lists a check does not begin with. */
const S = 0x73;
const U = 0x75;

/** The names that questions in JSON seem to have, and the lists that will be asked for with them. */
export class ComingNames {
  readonly #names: NameTable;
  readonly #lists: ComingLists;
  readonly #packed: Int32Array;
  readonly #stores: Int32Array;
  readonly #hashes: Int32Array;
  readonly #lengths: Int32Array;
  /** Whether a name is that of an object. */
  readonly #isObject: Uint8Array;
  readonly #places: Int32Array;
  #count = 0;
  /** Uses what is read: an unused read would be optimised away. */
  readonly #hasRead = new Int32Array(1);

  constructor(names: NameTable, lists: BlockCache, questionsMax: number) {
    const most = NAMES_MAX * questionsMax;
    this.#names = names;
    this.#lists = new ComingLists(lists, questionsMax * NAMES_MAX);
    this.#packed = new Int32Array(most * NAME_WORDS);
    this.#stores = new Int32Array(most);
    this.#hashes = new Int32Array(most);
    this.#lengths = new Int32Array(most);
    this.#isObject = new Uint8Array(most);
    this.#places = new Int32Array(most);
  }

  /** Takes the first names out of a text, which is octets from one offset to another: what is quoted and has a colon. */
  add(store: number, octets: Uint8Array, from: number, to: number): void {
    if (to - from > TEXT_MAX) return;
    const end = this.#count + NAMES_MAX;
    let key = 0;
    let begun = 0;
    let hasColon = false;
    for (let at = from; at < to && this.#count < end; at++) {
      const octet = octets[at] as number;
      if (octet === COLON) hasColon = true;
      if (octet !== QUOTE) continue;
      if (begun === 0) begun = at + 1;
      else {
        if (hasColon) this.#add(store, octets, begun, at, key !== S && key !== U);
        else key = octets[begun] as number;
        begun = 0;
      }
      hasColon = false;
    }
  }

  #add(store: number, octets: Uint8Array, from: number, to: number, isObject: boolean): void {
    const index = this.#count;
    const hash = packOctets(this.#packed, index * NAME_WORDS, store, octets, from, to);
    if (hash === 0) return;
    this.#stores[index] = store;
    this.#hashes[index] = hash;
    this.#lengths[index] = to - from;
    this.#isObject[index] = isObject ? 1 : 0;
    this.#places[index] = this.#names.placeOf(hash);
    this.#count++;
  }

  /**
   * Reads what look-ups of the names, of their objects' lists and of the first list behind each would read, and forgets
   * the names.
   * @returns how many of these there are
   */
  read(): number {
    const names = this.#count;
    this.#count = 0;
    this.#hasRead[0] = readEach(this.#names.words, this.#places, names);
    this.#findLists(names);
    return names + this.#lists.read();
  }

  #findLists(count: number): void {
    for (let index = 0; index < count; index++) {
      if (this.#isObject[index] === 0) continue;
      const store = this.#stores[index] as number;
      const hash = this.#hashes[index] as number;
      const length = this.#lengths[index] as number;
      const node = this.#names.nodeOf(hash, store, this.#packed, index * NAME_WORDS, length);
      if (node !== 0) this.#lists.add(store, node);
    }
  }
}
