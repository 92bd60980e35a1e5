/** Table tests against recorded answers of kube-apiserver. */

import type { ExecutionContext } from 'ava';
import { askOf } from './ask.ts';
import { type ClusterOptions, createCluster } from './index.ts';

/** Request, and kube-apiserver 1.34's answer to it. */
export interface ExpectedAnswer {
  /** Method and path. */
  readonly ask: string;
  /** JSON value, or a string that is sent unchanged. */
  readonly body?: unknown;
  /** Media type of the body. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status code, followed by the message of a refusal; a text that ends in `…` is a prefix. */
  readonly answer: string;
  /** Expected Warning header; not checked when left out. */
  readonly warning?: string;
  /** Subset of the expected body. */
  readonly like?: object;
}

/** Preconditions of the rows. */
export interface ExpectedOptions {
  readonly options?: ClusterOptions;
  /** Requests sent first, in order; each must succeed. */
  readonly before?: readonly (readonly [ask: string, body: unknown])[];
}

/** Returns a test that sends all rows to a fresh cluster, in order, and compares the answers. */
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
