import type { Waiting } from './waiting-commands.ts';

/** Commands that were sent together and are not applied here yet: in one message, or one command in several. */
export interface SentCommands {
  /** Numbers of the first message and of the last one. */
  readonly first: number;
  readonly number: number;
  readonly waiting: readonly Waiting[];
  /** Number of the last message of it that was applied, of several; 0 before. */
  applied: number;
  readonly isSettled: boolean;
  /** Resolves when they are applied here, or no longer waited for. */
  readonly settled: Promise<void>;
  settle(): void;
}

export function sentAs(first: number, messages: number, waiting: readonly Waiting[]): SentCommands {
  let resolveSettled: (() => void) | undefined;
  const settled = new Promise<void>((resolve) => {
    resolveSettled = resolve;
  });
  let isSettled = false;
  return {
    first,
    number: first + messages - 1,
    waiting,
    applied: 0,
    get isSettled() {
      return isSettled;
    },
    settled,
    settle() {
      isSettled = true;
      resolveSettled?.();
    },
  };
}
