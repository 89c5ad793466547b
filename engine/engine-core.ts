import type { Change, CommitResult, Precondition } from './command/command.ts';
import type { Reader } from './evaluate/reader.ts';
import type { FollowedLog } from './read/follow/follower.ts';

/** What an engine hands to the parts of it that read and write. */
export interface EngineCore {
  readonly reader: Reader;
  readonly clock: () => number;
  readonly followed: FollowedLog;
  submit(changes: readonly Change[], more?: CommandParts): Promise<CommitResult>;
  newId(): string;
}

export interface CommandParts {
  readonly preconditions?: readonly Precondition[] | undefined;
}
