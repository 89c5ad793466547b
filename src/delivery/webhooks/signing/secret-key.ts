const PREFIX = 'whsec_';
const base64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/;

/**
 * The HMAC key of the Standard Webhooks signature: the decoded bytes of `whsec_` and base64, which the libraries take.
 * Of any other secret, which a caller may have brought along, the bytes of the text.
 */
export function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : textKey(secret);
}

/** The HMAC key of the specification's signature: the bytes of the secret's text, `whsec_` included. */
export function textKey(secret: string): Buffer {
  return Buffer.from(secret, 'utf8');
}
