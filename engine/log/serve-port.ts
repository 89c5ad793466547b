import type { MessagePort } from 'node:worker_threads';
import type { PackedCommand } from '../command/command.ts';
import { decodeCommands, splitCommands } from '../command/encoding/command-codec.ts';
import { EngineError, type Failure, failure } from '../errors.ts';
import type { CommandLog } from './log.ts';
import type { AnswerMessage, BarrierMessage, SubmitMessage } from './port-log.ts';

/** Serves one thread's port with the log that the writer's thread has. Answers of one turn travel as one message. */
export function servePort(port: MessagePort, log: CommandLog): void {
  let done: number[] = [];
  let failed: [number, Failure][] = [];
  const post = (): void => {
    if (done.length + failed.length === 0) return;
    const message: AnswerMessage = { done, failed };
    done = [];
    failed = [];
    port.postMessage(message);
  };
  const begin = (): void => {
    if (done.length + failed.length === 0) queueMicrotask(post);
  };
  const answerFailed = (number: number, error: unknown): void => {
    begin();
    failed.push([number, failureOf(error)]);
  };
  const passBarrier = ({ barrier }: BarrierMessage): void => {
    const answer = (message: BarrierMessage): void => {
      post(); // the outcomes of what stands before the barrier come first
      port.postMessage(message);
    };
    log.barrier().then(
      () => answer({ barrier }),
      (error: unknown) => answer({ barrier, failure: failureOf(error) }),
    );
  };
  const submit = ({ first, count, commands }: SubmitMessage): void => {
    let decoded: PackedCommand[];
    try {
      decoded = decodeCommands(commands);
    } catch (error) {
      for (let i = 0; i < count; i++) answerFailed(first + i, error);
      return;
    }
    const encoded = log.sendsBytes ? splitCommands(commands) : undefined;
    decoded.forEach((command, i) => {
      log.submit(command, encoded?.[i]).then(
        ({ revision, tuplesChanged }) => {
          begin();
          done.push(first + i, revision, tuplesChanged);
        },
        (error: unknown) => answerFailed(first + i, error),
      );
    });
  };
  port.on('message', (message: SubmitMessage | BarrierMessage) => {
    if ('barrier' in message) passBarrier(message);
    else submit(message);
  });
}

function failureOf(error: unknown): Failure {
  return failure(error instanceof EngineError ? error : new EngineError('unavailable', String(error)));
}
