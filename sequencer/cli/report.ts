import { ApiError, ForbiddenError, messageOf, UnreachableError, UserError } from '../../sdk/index.ts';

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The innermost reason of a failure: `connect ECONNREFUSED 127.0.0.1:6443` rather than `fetch failed`. */
function rootOf(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (root instanceof AggregateError && root.errors.length > 0) return messageOf(root.errors[0]);
  return messageOf(root);
}

/** One line per field that the server does not accept, as it says it. */
export const causesOf = ({ status }: ApiError): readonly string[] =>
  (status.details?.causes ?? []).map(({ field, message = '' }) => (field ? `${field}: ${message}` : message));

/** What happened, in the words of somebody who can mend it; undefined for what only a developer can. */
function explain(error: unknown): Explanation | undefined {
  if (error instanceof UserError) return error;
  if (error instanceof UnreachableError)
    return {
      code: 'E#2020',
      message: `${error.request.server} does not answer: ${rootOf(error)} (tried ${error.request.method} ${error.request.path})`,
      hint: 'check that the cluster runs and that --kubeconfig and --context name the right one; this was the last try',
    };
  if (error instanceof ForbiddenError)
    return {
      code: 'E#2021',
      message: `${error.request.server} says no: ${error.message}`,
      hint:
        error.code === 401
          ? 'the credentials of the kubeconfig are not good there: `kubectl auth whoami` tells who they are for'
          : 'deploy/sequencer.yaml holds the rights that the sequencer needs',
    };
  if (error instanceof ApiError)
    return {
      code: 'E#2022',
      message: `${error.request.method} ${error.request.path}: ${error.message}`,
      hint: causesOf(error).join('\n') || undefined,
    };
  return undefined;
}

const indented = (text: string): readonly string[] => text.split('\n').map((line) => `  ${line}`);

/** What to print about a failure: one message with its code, then what to do; the stack with its causes only when `debug`. */
export function reportOf(error: unknown, debug: boolean): readonly string[] {
  const { code, message, hint } = explain(error) ?? {
    code: 'E#2000',
    message: `this should not have happened: ${messageOf(error)}`,
    hint: '--log-level debug shows where',
  };
  return [
    `error ${code}: ${message}`,
    ...(hint === undefined ? [] : indented(hint)),
    ...(debug && error instanceof Error ? indented(stackOf(error)) : []),
  ];
}

const stackOf = (error: Error): string =>
  error.cause instanceof Error ? `${error.stack}\ncaused by ${stackOf(error.cause)}` : `${error.stack}`;
