/**
 * Whether a `Content-Type` is one of the media types and, where it names a character set, that is UTF-8: the only one
 * for JSON (RFC 8259, 8.1).
 */
export function acceptsType(contentType: string, mediaTypes: readonly string[]): boolean {
  // nearly every request has exactly the first
  if (contentType === mediaTypes[0]) return true;
  const [type = '', ...parameters] = contentType.split(';');
  if (!mediaTypes.includes(type.trim().toLowerCase())) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim().toLowerCase() !== 'charset' || /^"?utf-?8"?$/i.test(value.trim());
  });
}
