export {
  Background,
  type BackgroundDependencies,
  delayAfter,
  isBug,
  type Repetition,
} from './background/background.ts';
export { backgroundMetrics } from './background/jobs.ts';
export { isUnreadable, SetAside } from './background/set-aside.ts';
export { Setbacks } from './background/setbacks.ts';
export type { Clock, ManualClock } from './clock.ts';
export { isoTime, isoTimeOrNull, manualClock, RequestClock, systemClock } from './clock.ts';
export { type ClockEvent, ClockGuard } from './clock-guard.ts';
export type { ConfigSource, LoadedConfig } from './config/config.ts';
export { ConfigError, defaultConfigFile, loadConfig } from './config/config.ts';
export type { Config, Limits, Settings } from './config/settings.ts';
export { serviceVersion } from './config/version.ts';
export { apiKeyKind, createApiKey, digestOf, equalDigests, equalSecrets, randomText } from './crypto/api-key.ts';
export { jwksSchema, type PublicJwks, storedJwksSchema, verifyingKeys } from './crypto/jwks.ts';
export { openWithPassphrase, PassphraseError, sealWithPassphrase } from './crypto/passphrase.ts';
export type { SealBinding, Sealer } from './crypto/seal.ts';
export { createSealer, deriveKey, SealError } from './crypto/seal.ts';
export type { SecretFile } from './crypto/secret-file.ts';
export { loadOrCreateSecret, readSecret, replaceFile } from './crypto/secret-file.ts';
export type { RandomSource } from './ids.ts';
export { randomSalt, requestIdGenerator, systemRandom, uuidGenerator } from './ids.ts';
export type { Log, LogFields, LogOptions } from './log.ts';
export { createLog, logBeforeEnd, silentLog } from './log.ts';
export { contrast, mix, readable, textOn } from './mail/colours.ts';
export { composeMail, escapeHtml, type MailContent } from './mail/compose.ts';
export { type Mail, MailError, type MailErrorCode, Mailer, type MailServer } from './mail/mailer.ts';
export type { MetricDefinition } from './metrics/metric-layout.ts';
export { gauges, latencyBuckets } from './metrics/metric-layout.ts';
export type { Counter, Gauge, Histogram, Metrics } from './metrics/metrics.ts';
export { createMetricsMemory, openMetrics, reserveMetricsMemory, singleThreadMetrics } from './metrics/metrics.ts';
export { addressKey, normaliseAddress } from './network/address.ts';
export type { AddressList } from './network/address-list.ts';
export { addressList, clientAddress, parseRange } from './network/address-list.ts';
export type { ClientIdentity, OutboundAnswer, OutboundRequest } from './network/exchange.ts';
export { isPublicAddress, OutboundError, OutboundGuard, urlFault } from './network/outbound.ts';
export { OutboundClient, outboundRequest } from './network/outbound-client.ts';
export { type FindPlace, openPlaces, readPlaces } from './network/places.ts';
export { claimPort, ListenError, type PortClaim } from './network/port-claim.ts';
export { boundHeapGrowth, collectAfterStart } from './process/heap.ts';
export { openFiles, openFilesMax } from './process/open-files.ts';
export { redact, redactText } from './redact.ts';
export { isPreconditionFailure, settleRaces } from './settle-races.ts';
export {
  SmsError,
  type SmsFormat,
  SmsGateway,
  type SmsProvider,
  smsFormats,
  smsProviderOf,
} from './sms/sms-gateway.ts';
export { endOfTurn, forgetEnd, lastReading, readEnd, readStopwatch } from './stopwatch.ts';
export { firstIdAt, firstTime, timeKey, timeOfId } from './time-keys.ts';
export type { Tracing } from './tracing.ts';
export { createTracing } from './tracing.ts';
export { isUsedFolder, keyFiles, lastSeenFile } from './used-folder.ts';
export { visibleText } from './visible-text.ts';
