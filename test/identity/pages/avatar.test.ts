import { expect, test } from 'vitest';
import { monogramOf } from '../../../src/identity/pages/index.ts';

test.each([
  { name: 'Anne van Example', letters: 'AE' },
  { name: 'anne', letters: 'A' },
  { name: 'anne.example@example.com', letters: 'A' },
  { name: '  (Élodie)  “Müller” ', letters: 'ÉM' },
  { name: 'مؤسسة الخير', letters: 'ما' },
  { name: 'e\u0301lodie', letters: 'E\u0301' },
  { name: '👩‍🚀 Mission 3', letters: 'M3' },
  { name: '—', letters: '' },
  { name: '', letters: '' },
])('the letters of $name are $letters', ({ name, letters }) => {
  expect(monogramOf(name)).toBe(letters);
});
