import { EngineError } from './errors.ts';

/**
 * How far an error reaches that is none of the engine's own: one `command` fails and its neighbours go on (a bug); a
 * `batch` cannot be stored now, and a later one perhaps can (a full disk); or the `store` cannot be trusted any more.
 */
export type FaultReach = 'command' | 'batch' | 'store';

/** Such an error as plain data that crosses threads. */
export interface Fault {
  readonly reach: FaultReach;
  /** How many commands were in the transaction that it ended. */
  readonly commands: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** As the storage or the system has it: -30796 is MDB_CORRUPTED, 28 is ENOSPC. */
  readonly code?: number | string;
}

const MAP_FULL = -30792;
const BAD_TXN = -30782;
/** After a failed write of its meta page LMDB gives no transaction, and what is then asked of it is EINVAL. */
const EINVAL = 22;
/** The engine's own: another writer has been at work, and what this one has in memory is not what the store has. */
const FENCED = 'fenced';
/** Codes of lmdb.h that tell of damage, or of an environment that has given up. */
const UNTRUSTED: ReadonlySet<unknown> = new Set([
  FENCED,
  EINVAL,
  -30797, // MDB_PAGE_NOTFOUND
  -30796, // MDB_CORRUPTED
  -30795, // MDB_PANIC
  -30794, // MDB_VERSION_MISMATCH
  -30793, // MDB_INVALID
  -30784, // MDB_INCOMPATIBLE
  -30783, // MDB_BAD_RSLOT
  BAD_TXN,
  -30780, // MDB_BAD_DBI
  -30779, // MDB_PROBLEM
  -30778, // MDB_BAD_CHECKSUM
]);

export function reachOf(error: unknown): FaultReach {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (UNTRUSTED.has(code) || name === 'AssertionError') return 'store';
  const isOfSystem = typeof code === 'number' ? code > 0 || code === MAP_FULL : /^E[A-Z0-9]+$/.test(String(code));
  return isOfSystem ? 'batch' : 'command';
}

/**
 * Whether another error came first in the transaction: lmdb keeps what a write fails with to itself (its `write` answers
 * a code that nobody looks at), and from then on the transaction is bad.
 */
export function hidesAnother(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === BAD_TXN;
}

export function faultOf(error: unknown, commands: number): Fault {
  const { name, message, stack, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : thrown(error);
  return {
    reach: reachOf(error),
    commands,
    name,
    message,
    stack: stack ?? '',
    ...(code === undefined ? {} : { code }),
  };
}

function thrown(value: unknown): NodeJS.ErrnoException {
  return new Error(`${String(value)} was thrown`);
}

/** What a batch is refused with that such an error has ended. */
export function refusalOf({ reach }: Fault, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (reach === 'batch') return new EngineError('unavailable', `the store cannot be written to: ${error}`, {}, error);
  return new EngineError('internal', 'the commands failed in the writer', {}, error);
}

/** What the writer refuses every command with from then on. */
export function untrusted({ name, message, code }: Fault, cause?: unknown): EngineError {
  if (code === FENCED) return new EngineError('fenced', message, {}, cause);
  const what = `${name === 'Error' ? '' : `${name}: `}${message}${code === undefined ? '' : ` (${code})`}`;
  const todo = 'Nothing more is written. Check the store with "relata verify" and restore a backup';
  return new EngineError('corrupt', `the store cannot be trusted: ${what}. ${todo}`, {}, cause);
}
