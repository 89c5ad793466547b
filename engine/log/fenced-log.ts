import type { CommitResult, PackedCommand, Precondition } from '../command/command.ts';
import { EngineError } from '../errors.ts';
import type { CommandLog } from './log.ts';

/** What must still hold when a command is applied: a record has this version. */
export type FenceRecord = Extract<Precondition, { readonly require: 'record_version' }>;

/**
 * A log for the shared jobs, which one node runs for all: its commands are applied only while a record says that this node is
 * that one.
 * After the first one that came too late, it takes no more.
 */
export class FencedLog implements CommandLog {
  readonly #log: CommandLog;
  readonly #fence: FenceRecord;
  #isPast = false;

  constructor(log: CommandLog, fence: FenceRecord) {
    this.#log = log;
    this.#fence = fence;
  }

  get pending(): number {
    return this.#log.pending;
  }

  async submit(command: PackedCommand): Promise<CommitResult> {
    if (this.#isPast) throw past();
    try {
      return await this.#log.submit({ ...command, preconditions: [...(command.preconditions ?? []), this.#fence] });
    } catch (error) {
      this.#isPast ||= this.#isFence(error);
      throw this.#isPast ? past() : error;
    }
  }

  barrier(): Promise<void> {
    return this.#log.barrier();
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  #isFence(error: unknown): boolean {
    if (!(error instanceof EngineError) || error.code !== 'precondition_failed') return false;
    const { store, collection, id } = this.#fence;
    return error.details.store === store && error.details.object === `${collection}/${id}`;
  }
}

function past(): EngineError {
  return new EngineError('fenced', 'another node does this work now');
}
