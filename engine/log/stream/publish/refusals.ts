import { EngineError } from '../../../errors.ts';
import { PARTS_SINCE } from '../log-format.ts';
import { SPLIT_BYTES_MAX } from '../parts/command-part.ts';

/**
 * Why a command of so many bytes cannot be sent now.
 * @param max how many a message has room for
 * @param format what all nodes read; undefined where that is not known yet
 */
export function sizeRefusal(bytes: number, max: number, format: number | undefined): EngineError | undefined {
  if (bytes <= max) return undefined;
  if (bytes > SPLIT_BYTES_MAX) {
    const message = `a command of ${bytes} bytes is too large for the log of a cluster, which takes ${SPLIT_BYTES_MAX}`;
    return new EngineError('too_large', message, { bytes, max: SPLIT_BYTES_MAX });
  }
  if (format === undefined) {
    const message = `a command of ${bytes} bytes needs several messages, and it is not known yet whether all nodes read them: try again`;
    return new EngineError('unavailable', message, { bytes, max });
  }
  if (format >= PARTS_SINCE) return undefined;
  const message =
    `a command of ${bytes} bytes is too large for a message, which takes ${max}: ` +
    'it can be sent in several when no node of an older version is left in the cluster';
  return new EngineError('too_large', message, { bytes, max });
}

export function notTaken(): EngineError {
  return new EngineError('unavailable', 'the log did not take the command: try again');
}

export function noRoom(): EngineError {
  return new EngineError('unavailable', 'too many commands wait for the log: try again later');
}
