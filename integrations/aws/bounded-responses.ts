/** Bounds of responses for the AWS SDK, which limits neither their size nor their duration. */

import { pipeline, Readable, Transform } from 'node:stream';

/** Maximum bytes of a response body. A page of a list has about 4 MiB at most. */
export const maxResponseLength = 16 * 2 ** 20;

/** Error of an aborted response: the outcome of the request is unknown. */
export const tooLong = (): Error => new Error(`returned more than ${maxResponseLength} bytes`);

/** Returns a body that fails when it is longer than allowed, or not complete in time. @param deadline ms */
function bounded(body: Readable, deadline: number): Readable {
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > maxResponseLength) done(tooLong());
      else done(null, chunk);
    },
  });
  const timer = setTimeout(() => limited.destroy(new Error(`no complete answer within ${deadline} ms`)), deadline);
  pipeline(body, limited, () => clearTimeout(timer));
  return limited;
}

/** Response of the transport of the AWS SDK. */
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

/** Bounds the responses of a client, and returns it. @param deadline ms for a body after its head */
export function withBoundedResponses<Client extends object>(client: Client, deadline: number): Client {
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
