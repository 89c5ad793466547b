/** One server-sent event. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

const FIELD = /^([a-z]+): ?(.*)$/;

/** The events of a stream (HTML, "Server-sent events"), until it ends. Comments are passed over. */
export async function* readServerEvents(answer: Response): AsyncGenerator<ServerSentEvent> {
  if (answer.body === null) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = parse(block);
      if (found !== undefined) yield found;
    }
  }
}

function parse(block: string): ServerSentEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n') };
}
