import type { Change } from '../../../../engine/command/command.ts';
import type { MessageStream } from '../../../../engine/log/stream/message-stream.ts';
import type { LogUnderTest } from '../log-contract.ts';
import { StreamNode } from './node.ts';
import { append as appendTo, command } from './stores-of-nodes.ts';

export function submit(node: StreamNode, changes: readonly Change[]) {
  return node.log.submit(command(...changes));
}

export function append(document: unknown): Change {
  return appendTo('s', document);
}

/** The most of one read. */
const PAGE = 1000;

/** What was appended, in order. */
export function journal(node: StreamNode): unknown[] {
  const { records } = node.engine.store('s');
  const entries: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const page = records.list('journal', { limit: PAGE, ...(after === undefined ? {} : { after }) });
    entries.push(...page.map(({ document }) => document));
    if (page.length < PAGE) return entries;
    after = page.at(-1)?.id;
  }
}

/** Two nodes of one stream, for the tests of every log: `connect` is a node's own way to the stream. */
export async function twoNodes(
  connect: () => MessageStream | Promise<MessageStream>,
  options: Parameters<typeof StreamNode.open>[1] = {},
): Promise<LogUnderTest> {
  const second = await StreamNode.open(await connect(), options);
  const open = async (path?: string): Promise<LogUnderTest> => {
    const node = await StreamNode.open(await connect(), path === undefined ? options : { ...options, path });
    return {
      engine: node.engine,
      log: node.log,
      other: second.log,
      async reopen() {
        await node.close();
        return open(node.path);
      },
      async close() {
        await node.remove();
        await second.remove();
      },
    };
  };
  return open();
}
