/** Bounds of the answers that the AWS SDK reads: it takes any number of bytes, for as long as they come. */

import { pipeline, Readable, Transform } from 'node:stream';

/** Longest body of an answer in bytes. A page of a list has some 4 Mi at most. */
export const longestAnswer = 16 * 2 ** 20;

/** Error of an answer that was broken off: what has become of the request is unknown. */
export const tooLong = (): Error => new Error(`answered more than ${longestAnswer} bytes`);

/** Returns a body that fails when it is longer than allowed, or not complete in time. @param deadline ms */
function bounded(body: Readable, deadline: number): Readable {
  let size = 0;
  const passed = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > longestAnswer) done(tooLong());
      else done(null, chunk);
    },
  });
  const timer = setTimeout(() => passed.destroy(new Error(`no complete answer within ${deadline} ms`)), deadline);
  pipeline(body, passed, () => clearTimeout(timer));
  return passed;
}

/** Answer as the transport of the AWS SDK returns it. */
interface AwsAnswer {
  readonly response: { body?: unknown };
}

/** Client of the AWS SDK. */
interface AwsClient {
  readonly middlewareStack: {
    add(
      middleware: (next: (args: never) => Promise<AwsAnswer>) => (args: never) => Promise<AwsAnswer>,
      options: { readonly name: string; readonly step: 'deserialize'; readonly priority: 'low' },
    ): void;
  };
}

/** Bounds the answers of a client, and returns it. @param deadline ms for a body, once its head has come */
export function withBoundedAnswers<Client extends object>(client: Client, deadline: number): Client {
  (client as unknown as AwsClient).middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { response } = answer;
      if (response.body instanceof Readable) response.body = bounded(response.body, deadline);
      return answer;
    },
    { name: 'boundedAnswers', step: 'deserialize', priority: 'low' },
  );
  return client;
}
