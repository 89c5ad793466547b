/** Sends JSON and answers the JSON that came back. Throws where the status is not one of success. */
export async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<unknown> {
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** Runs tasks, so many at a time, in their order. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let step = iterator.next(); !step.done; step = iterator.next()) await task(step.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
