/** Names of fields whose value never reaches a log, whatever its depth. Compared without case, `-` and `_`. */
const secretNames = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapikey',
  'apikey',
  'adminapikey',
  'platformkey',
  'masterkey',
  'privatekey',
  'secret',
  'clientsecret',
  'signingsecret',
  'password',
  'smtppassword',
  'smtpurl',
  'clusterurl',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'bearertoken',
  'subjecttoken',
  'actortoken',
  'code',
  'codeverifier',
  'dpop',
  'assertion',
  'clientassertion',
]);

/** Fields named `code` carry an authorization code in a form, but an error code everywhere else. */
const plainCode = /^[a-z][a-z0-9_]{0,63}$|^[A-Z][A-Z0-9_]{0,63}$/;

const keyText = /rlt_[a-z0-9]{1,16}_[0-9A-Za-z]{8,}/g;
const credentialText = /\b(Bearer|Basic|ApiKey|DPoP)\s+[\w.~+/=-]{8,}/gi;

const depthMax = 8;
const entriesMax = 200;
const textMax = 4096;

/** A copy of plain data that is fit for a log: secrets replaced, text and structures cut to a bound. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= depthMax) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((entry) => redact(entry, depth + 1));
  if (value instanceof Date) return value.toJSON();
  if (ArrayBuffer.isView(value)) return '[bytes]';
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value).slice(0, entriesMax)) {
    copy[name] = isSecret(name, entry) ? '[redacted]' : redact(entry, depth + 1);
  }
  return copy;
}

/** Text with anything that looks like a key or a credential taken out. */
export function redactText(text: string): string {
  const short = text.length > textMax ? `${text.slice(0, textMax)}…` : text;
  return short.replace(keyText, 'rlt_[redacted]').replace(credentialText, '$1 [redacted]');
}

function isSecret(name: string, value: unknown): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  if (!secretNames.has(plain) || value === undefined || value === null || typeof value === 'boolean') return false;
  return plain !== 'code' || !(typeof value === 'number' || (typeof value === 'string' && plainCode.test(value)));
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { code, details } = error as Error & { code?: unknown; details?: unknown };
  return {
    type: error.name,
    message: redactText(error.message),
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details: redact(details, depth + 1) }),
    ...(error.stack === undefined ? {} : { stack: redactText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
