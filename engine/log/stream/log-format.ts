import { FORMAT_VERSION } from '../../store/folder/format.ts';

/**
 * Formats of what nodes write for each other. A node that meets a newer one than it reads stops. A newer one is written
 * only once all nodes of the cluster read it, so that nodes of two neighbouring versions can share a log.
 */
export interface NodeFormats {
  /** Of messages in the log: 1 has commands alone, 2 parts of commands too, 3 also what other streams are used for. */
  readonly log: number;
  /** Of the store, and so of snapshots. */
  readonly store: number;
}

/** The newest format of messages that this version reads and writes. */
export const LOG_FORMAT = 3;
/** From when on a command may be sent in parts. */
export const PARTS_SINCE = 2;
/** From when on commands may stand in side streams. */
export const STREAMS_SINCE = 3;

/** What this version reads. */
export const OWN_FORMATS: NodeFormats = { log: LOG_FORMAT, store: FORMAT_VERSION };
