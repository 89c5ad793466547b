import { inParallel, post } from './post.ts';

/** How many are compared with what the generator knows, one by one, before a case is measured. */
const SAMPLE = 2_000;
const AT_ONCE = 8;

/** Throws at the first wrong answer. */
export async function verifyAnswers(
  url: string,
  headers: Readonly<Record<string, string>>,
  bodies: readonly string[],
  isRight: (reply: unknown, place: number) => boolean,
): Promise<void> {
  await inParallel(bodies.slice(0, SAMPLE).entries(), AT_ONCE, async ([place, body]) => {
    const reply = await post(url, headers, body);
    if (isRight(reply, place)) return;
    throw new Error(`${url} answered ${JSON.stringify(reply).slice(0, 300)} to ${body.slice(0, 300)}`);
  });
}
