import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { unusableFile } from '../file-problem.ts';

const FLUSH_BYTES = 65_536;

/**
 * The file of lines that an import leaves out: each as it was, after a comment that says why. Once corrected, the file
 * can be imported itself.
 */
export class RefusedLines {
  readonly path: string;
  readonly #file: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #length: number;

  /** `length` is what a continued import had written; what stands after it belongs to no commit. */
  constructor(path: string, length: number) {
    this.path = path;
    this.#length = length;
    try {
      this.#file = openSync(path, length === 0 ? 'w' : 'r+');
      ftruncateSync(this.#file, length);
    } catch (error) {
      throw unusableFile(path, error);
    }
  }

  add(where: string, reason: string, raw: Uint8Array): void {
    this.#put(Buffer.concat([Buffer.from(`# ${where}: ${reason.replaceAll(/\s+/g, ' ')}\n`), raw, Buffer.from('\n')]));
  }

  /** The header of a CSV file, which makes this one a CSV file. */
  addHeader(header: string): void {
    if (this.#length + this.#pendingBytes === 0) this.#put(Buffer.from(`${header}\n`));
  }

  /** Answers the length of the file, once that much of it is on disk. */
  flush(): number {
    this.#write();
    fsyncSync(this.#file);
    return this.#length;
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #put(bytes: Uint8Array): void {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= FLUSH_BYTES) this.#write();
  }

  #write(): void {
    if (this.#pendingBytes === 0) return;
    const bytes = Buffer.concat(this.#pending);
    writeSync(this.#file, bytes, 0, bytes.length, this.#length);
    this.#length += bytes.length;
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}
