import { z } from 'zod';
import { defineEvent, inSnakeCase, resourceNames } from '../../kernel/events/index.ts';

const text = z.string();
const place = z.strictObject({ city: text.nullable(), country: text.nullable() });

/** Who signed in, and how. */
const about = { userId: text, email: text, ip: text, userAgent: text, sessionId: text };
const example = {
  userId: '01920000-0000-7000-8000-000000000001',
  email: 'anne@example.com',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  sessionId: '01920000-0000-7000-8000-00000000000d',
};

function resources({ userId, sessionId }: Readonly<Record<keyof typeof about, string>>) {
  return resourceNames({ user: userId, session: sessionId });
}

const travel = z.strictObject({
  ...about,
  /** Where this sign-in came from, and the last one before it. */
  place,
  formerPlace: place,
  formerSessionId: text,
  distanceKm: z.int(),
  /** Between the two. */
  elapsedSeconds: z.int(),
});

export const impossibleTravel = defineEvent({
  type: 'security.impossible_travel',
  data: travel,
  example: {
    ...example,
    place: { city: 'Sydney', country: 'AU' },
    formerPlace: { city: 'Lausanne', country: 'CH' },
    formerSessionId: '01920000-0000-7000-8000-00000000000c',
    distanceKm: 16_760,
    elapsedSeconds: 3600,
  },
  about: resources,
  becomes: { c: inSnakeCase('security.impossible_travel', travel) },
});

/** See `assessSignIn`. */
const reason = z.enum(['new_country', 'new_device', 'after_failures', 'impossible_travel']);

export type RiskReason = z.output<typeof reason>;

const risk = z.strictObject({ ...about, reasons: z.array(reason).readonly() });

export const highRisk = defineEvent({
  type: 'security.high_risk',
  data: risk,
  example: { ...example, reasons: ['new_country', 'new_device'] },
  about: resources,
  becomes: { c: inSnakeCase('security.high_risk', risk) },
});
