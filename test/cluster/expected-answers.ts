import type { ExecutionContext } from 'ava';
import { askOf } from './ask.ts';
import { type ClusterOptions, createCluster } from './index.ts';

/** A request, and the answer that kube-apiserver 1.34 gives to it. */
export interface ExpectedAnswer {
  /** Method and path. */
  readonly ask: string;
  /** JSON, or a text as it is. */
  readonly body?: unknown;
  /** Media type of the body. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status, and what a refusal says, or the beginning of that before `…`. */
  readonly answer: string;
  /** The Warning header; not looked at when left out. */
  readonly warning?: string;
  /** What must be in the body. */
  readonly like?: object;
}

/** What rows are asked of. */
export interface ExpectedOptions {
  readonly options?: ClusterOptions;
  /** What is sent before, one after the other; each must succeed. */
  readonly before?: readonly (readonly [ask: string, body: unknown])[];
}

/** A test: a fresh cluster answers all rows, one after the other, as the real server does. */
export function answersAsReal(
  given: ExpectedOptions,
  rows: readonly ExpectedAnswer[],
): (t: ExecutionContext) => Promise<void> {
  return async (t) => {
    const cluster = await createCluster({ kubelet: false, ...given.options });
    t.teardown(() => cluster.close());
    const ask = askOf(cluster);
    for (const [what, body] of given.before ?? []) t.true((await ask(what, body)).status < 300, what);
    for (const { ask: what, body, type, headers, answer, warning, like } of rows) {
      const found = await ask(what, body, { ...(type !== undefined && { 'content-type': type }), ...headers });
      const isRefused = found.body.kind === 'Status' && found.body.status === 'Failure';
      const said = isRefused ? `${found.status} ${found.body.message}` : String(found.status);
      const about = `${what} ${typeof body === 'string' ? body : JSON.stringify(body)?.slice(0, 200)}`;
      if (answer.endsWith('…')) t.is(said.slice(0, answer.length - 1), answer.slice(0, -1), about);
      else t.is(said, answer, about);
      if (warning !== undefined) t.deepEqual(found.headers.warning ?? '', warning, about);
      if (like !== undefined) t.like(found.body, like, about);
    }
  };
}
