import { describe, expect, test } from 'vitest';
import { englishIn } from './german-reader.ts';

describe('what is English is seen', () => {
  test.each([
    'Check your email',
    'Two-step verification',
    'Enter the 6-digit code sent to 0151.',
    'It is switched off.',
  ])('%s', (text) => expect(englishIn([text])).toEqual([text]));
  test.each(['Name', 'Passwort', 'Anmelden bei Acme', 'Code', 'Weiter mit Google'])('but not in %s', (text) =>
    expect(englishIn([text])).toEqual([]),
  );
});
