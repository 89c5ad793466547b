/** How a node reaches the log of its cluster. */
export interface StreamSettings {
  /** `nats://host:4222` or `tls://host:4222`, several with commas; a user and a password, or a token, may stand in it. */
  readonly url: string;
  /** Name of the stream, and the first part of its subject. */
  readonly stream: string;
  /** To how many streams this node sends commands; the first one is the log. 1 where absent. */
  readonly streams?: number | undefined;
  /** How many servers keep each message. */
  readonly replicas: number;
  /** File of credentials (JWT and seed), as `nsc` makes them. */
  readonly credentialsFile?: string | undefined;
  /** Files in PEM: of the authority that signed the servers' certificates, and of this node's own. */
  readonly caFile?: string | undefined;
  readonly certificateFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** How long a start waits for servers that cannot be reached. Not at all where absent. */
  readonly startWaitMs?: number | undefined;
  /** Where the servers tell of themselves: `http://host:8222`, several with commas. */
  readonly monitorUrl?: string | undefined;
  /** Goes on with a warning where the servers do not keep what they acknowledge, or that cannot be seen. */
  readonly allowUnsafe: boolean;
  /** Shown by the servers. */
  readonly name: string;
  /** A fingerprint of what nodes of one log must share beside it. */
  readonly fingerprint: string;
}
