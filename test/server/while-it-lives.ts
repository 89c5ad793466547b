import { setTimeout as sleep } from 'node:timers/promises';

const LIFE_MS = 1_500;
const LIFE_MS_MAX = 30_000;

/**
 * Makes something that ends at a time, looks at it while it lives, and returns when it has ended. Where its time was
 * over before it was looked at, because the machine had much else to do, it is made again and lives longer.
 * @param use makes it and says what must be true while it lives
 */
export async function whileItLives(use: (expiresAt: string) => Promise<void>): Promise<void> {
  for (let lifeMs = LIFE_MS; ; lifeMs *= 2) {
    const end = Date.now() + lifeMs;
    try {
      await use(new Date(end).toISOString());
      await sleep(Math.max(0, end - Date.now()) + 100);
      return;
    } catch (error) {
      if (Date.now() < end || lifeMs > LIFE_MS_MAX) throw error;
    }
  }
}
