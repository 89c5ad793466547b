import type { NodeFormats } from '../log-format.ts';
import type { StreamWay } from './stream-ways.ts';

/** A node of the cluster that was seen. */
export interface SeenNode {
  /** Host and port. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly seen: number;
}

/** What a node knows of the log. */
export interface StreamStatus {
  /** The last message that is applied here. */
  readonly sequence: number;
  /** Messages that are not applied here yet, by the last look at the stream. */
  readonly behind: number;
  /** The newest that this node reads. */
  readonly formats: NodeFormats;
  /** To how many streams it sends commands; the first one is the log. Older versions do not tell. */
  readonly streams?: number;
  /** Each of them. Older versions do not tell. */
  readonly ways?: readonly StreamWay[];
  /** In hexadecimal: the same on every node that has applied as much. */
  readonly state: string;
  /** Whether messages come in. */
  readonly isReading: boolean;
  /** Whether the log took this node's last messages. */
  readonly isWritable: boolean;
  /** How long ago it was sure to have applied what the log had. */
  readonly silentMs: number;
  /** Nodes that were seen, as this one knows. Older versions do not tell. */
  readonly known?: readonly SeenNode[];
}
