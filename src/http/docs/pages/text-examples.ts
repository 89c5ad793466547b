import type { JsonSchema } from '../../openapi/json-schema.ts';

/** What readers expect to see in a text, by the name of its member. The first that fits counts. */
const named: readonly (readonly [name: RegExp, example: string])[] = [
  [/^(?:.*Id|id|.*_id)s?$/, '0198a2f4-7c1e-7d3a-9b1e-5f6c7d8e9f00'],
  [/(?:At|_at)$/, '2026-01-31T12:00:00.000Z'],
  [/email/i, 'anne@example.com'],
  [/(?:ur[il]|picture)s?$/i, 'https://example.com/'],
  [/^(?:username|userName|preferred_username)$/, 'anne'],
  [/^(?:givenName|given_name)$/, 'Anne'],
  [/^(?:familyName|family_name)$/, 'Example'],
  [/^(?:name|displayName|display_name)$/, 'Example'],
  [/phone/i, '+41446681800'],
  [/^slugs?$/, 'example'],
  [/^locale$/, 'en-GB'],
  [/^zoneinfo$/, 'Europe/Zurich'],
  [/^(?:ip|ipAddress|ip_address|clientAddress)$/, '192.0.2.10'],
  [/^(?:revision|atLeast)$/, 'AlBQIdXFc2CQAAAAAAANpiwZnOs'],
  [/^object$/, 'document:roadmap'],
  [/^relations?$/, 'viewer'],
  [/^(?:subject|user)$/, 'user:anne'],
  [/^permissions?$/, 'document:read'],
  [/^scopes?$/, 'openid'],
  [/^roles?$/, 'editor'],
  [/^groups?$/, 'web'],
  [/^description$/, 'What it is for'],
];

/** `undefined` where the name says nothing, or the schema would refuse it. */
export function textNamed(
  name: string,
  { pattern, minLength = 0, maxLength = Infinity }: JsonSchema,
): string | undefined {
  if (pattern !== undefined) return undefined;
  const text = named.find(([each]) => each.test(name))?.[1];
  return text !== undefined && text.length >= Number(minLength) && text.length <= Number(maxLength) ? text : undefined;
}
