/** Aborts when the command is told to end (SIGINT, SIGTERM), until it is released. */
export function endSignal(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const each of signals) process.once(each, end);
  return {
    signal: controller.signal,
    release() {
      for (const each of signals) process.off(each, end);
    },
  };
}
