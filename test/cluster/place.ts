/** Where a process of a cluster runs. */
export interface Place {
  /** Where the other processes of the cluster reach it. */
  readonly address: string;
  /** Where the test reaches it. */
  readonly control: string;
  /** The command that runs another one there. */
  readonly prefix: readonly string[];
}

export const loopback: Place = { address: '127.0.0.1', control: '127.0.0.1', prefix: [] };

/** What a process listens on, to be reached there. */
export function listenAddressOf({ address, control }: Place): string {
  return address === control ? address : '0.0.0.0';
}
