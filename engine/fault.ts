import { EngineError } from './errors.ts';

/**
 * How far an error reaches that the engine did not throw itself. `command`: one command fails and the others go on (a
 * bug). `batch`: this batch cannot be stored, a later one perhaps can (a full disk). `store`: the store can no longer
 * be trusted.
 */
export type FaultReach = 'command' | 'batch' | 'store';

/** Such an error as plain data, for other threads. */
export interface Fault {
  readonly reach: FaultReach;
  /** How many commands were in the failed transaction. */
  readonly commands: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The code of LMDB or of the system: -30796 is MDB_CORRUPTED, 28 is ENOSPC. */
  readonly code?: number | string;
}

const MAP_FULL = -30792;
const BAD_TXN = -30782;
/** After LMDB failed to write its meta page, it begins no transaction, and every call fails with EINVAL. */
const EINVAL = 22;
/** The engine's own code: another writer has committed, so this writer's memory does not match the store. */
const FENCED = 'fenced';
/** The engine's own code: another process has been opening the data for too long. */
const UNAVAILABLE = 'unavailable';
/** Codes of lmdb.h that mean damage, or an environment that can no longer be used. */
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
  if (code === UNAVAILABLE) return 'batch';
  const isOfSystem = typeof code === 'number' ? code > 0 || code === MAP_FULL : /^E[A-Z0-9]+$/.test(String(code));
  return isOfSystem ? 'batch' : 'command';
}

/**
 * Whether an earlier error has made the transaction bad: lmdb does not report why a write failed (nobody reads the code
 * that its `write` returns).
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

/** The error for all commands of a batch that failed like this. */
export function refusalOf({ reach }: Fault, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (reach === 'batch') return new EngineError('unavailable', `the store cannot be written to: ${error}`, {}, error);
  return new EngineError('internal', 'the commands failed in the writer', {}, error);
}

/** The error for every command from then on. */
export function untrusted({ name, message, code }: Fault, cause?: unknown): EngineError {
  if (code === FENCED) return new EngineError('fenced', message, {}, cause);
  const what = `${name === 'Error' ? '' : `${name}: `}${message}${code === undefined ? '' : ` (${code})`}`;
  const todo = 'Nothing more is written. Check the store with "relata verify" and restore a backup';
  return new EngineError('corrupt', `the store cannot be trusted: ${what}. ${todo}`, {}, cause);
}
