import { type Limits, settingsSchema } from './settings.ts';

type Reader = (text: string) => unknown;

const asText: Reader = (text) => text;
const asInteger: Reader = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);
const asSwitch: Reader = (text) => ({ '1': true, true: true, '0': false, false: false })[text];
const asList: Reader = (text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

interface Variable {
  readonly setting: string;
  readonly read: Reader;
  /** What the variable must be, in words, for the message when it cannot be read at all. */
  readonly form: string;
}

const text = (setting: string): Variable => ({ setting, read: asText, form: 'text' });
const integer = (setting: string): Variable => ({ setting, read: asInteger, form: 'a whole number' });
const onOff = (setting: string): Variable => ({ setting, read: asSwitch, form: '1 or 0' });

/** One row for each variable: which setting it is and how its text is read. */
const variables: Readonly<Record<string, Variable>> = {
  RELATA_HOST: text('host'),
  RELATA_PORT: integer('port'),
  RELATA_BASE_URL: text('baseUrl'),
  RELATA_DATA_DIR: text('dataDir'),
  RELATA_THREADS: integer('threads'),
  RELATA_TRANSPORT: text('transport'),
  RELATA_DEMO: onOff('demo'),
  RELATA_PLATFORM_KEY: text('platformKey'),
  RELATA_MASTER_KEY: text('masterKey'),
  RELATA_METRICS_TOKEN: text('metricsToken'),
  RELATA_METRICS_ADDRESS: text('metricsAddress'),
  RELATA_CLUSTER_URL: text('clusterUrl'),
  RELATA_CLUSTER_STREAM: text('clusterStream'),
  RELATA_CLUSTER_REPLICAS: integer('clusterReplicas'),
  RELATA_CLUSTER_STREAMS: integer('clusterStreams'),
  RELATA_CLUSTER_MONITOR_URL: text('clusterMonitorUrl'),
  RELATA_CLUSTER_CREDENTIALS: text('clusterCredentials'),
  RELATA_CLUSTER_CA: text('clusterCa'),
  RELATA_CLUSTER_CERTIFICATE: text('clusterCertificate'),
  RELATA_CLUSTER_KEY: text('clusterKey'),
  RELATA_CLUSTER_START_WAIT_S: integer('clusterStartWaitS'),
  RELATA_CLUSTER_SILENT_S: integer('clusterSilentS'),
  RELATA_CLUSTER_SILENT_KEYS_S: integer('clusterSilentKeysS'),
  RELATA_CLUSTER_JOBS: onOff('clusterJobs'),
  RELATA_CLUSTER_SNAPSHOT_MESSAGES: integer('clusterSnapshotMessages'),
  RELATA_CLUSTER_SNAPSHOT_HOURS: integer('clusterSnapshotHours'),
  RELATA_CLUSTER_ABSENT_HOURS: integer('clusterAbsentHours'),
  RELATA_CLUSTER_UNSAFE: onOff('clusterUnsafe'),
  RELATA_TRUSTED_PROXIES: { setting: 'trustedProxies', read: asList, form: 'a list' },
  RELATA_SMTP_URL: text('smtpUrl'),
  RELATA_SMS_URL: text('smsUrl'),
  RELATA_SMS_FORMAT: text('smsFormat'),
  RELATA_SMS_FROM: text('smsFrom'),
  RELATA_SMS_USER: text('smsUser'),
  RELATA_SMS_PASSWORD: text('smsPassword'),
  RELATA_SMS_TOKEN: text('smsToken'),
  RELATA_ALLOW_PRIVATE_URLS: onOff('allowPrivateUrls'),
  RELATA_GEO_DATABASE: text('geoDatabase'),
  RELATA_LOG_LEVEL: text('logLevel'),
  RELATA_ACCESS_LOG: text('accessLog'),
};

const limitPrefix = 'RELATA_LIMIT_';

const limitVariables: ReadonlyMap<string, keyof Limits> = new Map(
  (Object.keys(settingsSchema.shape.limits.shape) as (keyof Limits)[]).map((name) => [limitVariable(name), name]),
);

function limitVariable(name: string): string {
  return limitPrefix + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The variable that sets the setting at `path`, for error messages. */
export function variableOf(path: readonly string[]): string | undefined {
  const [first, second] = path;
  if (first === 'limits' && second !== undefined) return limitVariable(second);
  return Object.keys(variables).find((name) => variables[name]?.setting === first);
}

export interface EnvironmentSettings {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly variables: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Read by single commands, and often still set in a shell that starts the server. */
const ofCommands = new Set(['RELATA_KEY', 'RELATA_BACKUP_PASSPHRASE']);

/** Reads the `RELATA_*` variables. An empty variable counts as unset, as container tools often pass it that way. */
export function environmentSettings(environment: Readonly<Record<string, string | undefined>>): EnvironmentSettings {
  const settings: Record<string, unknown> = {};
  const limits: Record<string, unknown> = {};
  const used = new Set<string>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('RELATA_') || value === undefined || value === '' || ofCommands.has(name)) continue;
    const limit = limitVariables.get(name);
    const variable = limit === undefined ? variables[name] : integer(limit);
    if (variable === undefined) {
      warnings.push(`${name} is not a setting of this version and is ignored`);
      continue;
    }
    const read = variable.read(value);
    if (read === undefined) problems.push(`${name}: must be ${variable.form}`);
    used.add(name);
    if (limit === undefined) settings[variable.setting] = read;
    else limits[limit] = read;
  }
  return { settings, limits, variables: used, problems, warnings };
}
