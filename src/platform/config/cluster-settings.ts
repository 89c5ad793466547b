import { z } from 'zod';

const file = z.string().min(1).max(4096).nullable();

/** Several addresses with commas. */
function urls(schemes: readonly string[], expected: string): z.ZodType<string | null> {
  const isOne = (text: string): boolean =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol) && new URL(text).hostname !== '';
  return z
    .string()
    .max(4096)
    .refine((text) => text.split(',').every((each) => isOne(each.trim())), `must be ${expected}`)
    .nullable();
}

/** How this node shares its log with others. Alone, all of it stays unset. */
export const clusterSettings = {
  clusterUrl: urls(['nats:', 'tls:'], 'one or more nats or tls URLs, with commas between them'),
  /** Name of the stream. */
  clusterStream: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, - and _'),
  /** How many NATS servers keep each message. */
  clusterReplicas: z.int().min(1).max(5),
  /** To how many streams this node sends commands; the first one is the log. */
  clusterStreams: z.int().min(1).max(16),
  /** Where the NATS servers tell of their settings. */
  clusterMonitorUrl: urls(['http:', 'https:'], 'one or more http or https URLs, with commas between them'),
  clusterCredentials: file,
  clusterCa: file,
  clusterCertificate: file,
  clusterKey: file,
  /** How long a start waits for NATS servers that do not answer. */
  clusterStartWaitS: z.int().min(0).max(86_400),
  /** Where a node has heard nothing of the log for so long, it refuses tokens and sessions. */
  clusterSilentS: z.int().min(15).max(86_400),
  /** The same of API keys, and keys of agents and of SCIM. */
  clusterSilentKeysS: z.int().min(15).max(86_400),
  /** Whether this node may run the shared jobs. */
  clusterJobs: z.boolean(),
  /** After so many messages, or so many hours, the log gets a snapshot. */
  clusterSnapshotMessages: z.int().min(1).max(1e9),
  clusterSnapshotHours: z.int().min(1).max(8760),
  /** A node that was not seen for so long starts from a snapshot. */
  clusterAbsentHours: z.int().min(1).max(8760),
  /** Goes on where the NATS servers may lose what they acknowledge. */
  clusterUnsafe: z.boolean(),
};

/** What each node would otherwise make for itself must be the same on all of them. */
const shared = { baseUrl: 'RELATA_BASE_URL', platformKey: 'RELATA_PLATFORM_KEY', masterKey: 'RELATA_MASTER_KEY' };

/** Each is a part of what the other begins. */
const pairs = [
  ['clusterCertificate', 'clusterKey', 'RELATA_CLUSTER_KEY'],
  ['clusterKey', 'clusterCertificate', 'RELATA_CLUSTER_CERTIFICATE'],
] as const;

type Named = keyof typeof shared | 'clusterUrl' | 'clusterCertificate' | 'clusterKey';
type ClusterSettings = Readonly<Record<Named, string | null>> &
  Readonly<Record<'clusterSilentS' | 'clusterSilentKeysS', number>>;

/** What must hold between settings. */
export function requireUsable(settings: ClusterSettings, issues: z.core.$RefinementCtx): void {
  if (settings.clusterUrl === null) return;
  const refuse = (name: keyof ClusterSettings, message: string): void =>
    issues.addIssue({ code: 'custom', path: [name], message });
  const missing = Object.entries(shared).flatMap(([name, variable]) =>
    settings[name as keyof typeof shared] === null ? [variable] : [],
  );
  if (missing.length > 0) {
    refuse('clusterUrl', `needs ${missing.join(', ')} to be set, to the same value on every node`);
  }
  for (const [one, other, variable] of pairs) {
    if (settings[one] !== null && settings[other] === null) refuse(one, `needs ${variable} to be set, too`);
  }
  if (settings.clusterSilentKeysS < settings.clusterSilentS) {
    refuse('clusterSilentKeysS', `must not be less than RELATA_CLUSTER_SILENT_S, which is ${settings.clusterSilentS}`);
  }
}
