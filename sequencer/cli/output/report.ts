/** Explains failures to the user. */

import {
  ApiError,
  DrainError,
  ForbiddenError,
  failuresOf,
  LeadershipLostError,
  messageOf,
  UnreachableError,
  UserError,
} from '../../../sdk/index.ts';
import { plainText } from './plain-text.ts';

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Returns the innermost cause of a failure: `connect ECONNREFUSED 127.0.0.1:6443` rather than `fetch failed`. */
function rootOf(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  if (root instanceof AggregateError && root.errors.length > 0) return messageOf(root.errors[0]);
  return messageOf(root);
}

/** Formats one line for each field that the server rejects, in its words. */
export const causesOf = ({ status }: ApiError): readonly string[] =>
  (status.details?.causes ?? []).map(({ field, message = '' }) => (field ? `${field}: ${message}` : message));

/** Explains a failure to the user; undefined for a bug. */
function explain(error: unknown): Explanation | undefined {
  if (error instanceof UserError) return error;
  if (error instanceof UnreachableError)
    return {
      code: 'E#2020',
      message: `${error.request.server} does not answer: ${rootOf(error)} (tried ${error.request.method} ${error.request.path})`,
      hint: 'check that the cluster runs and that --kubeconfig and --context name the right one',
    };
  if (error instanceof ForbiddenError)
    return {
      code: 'E#2021',
      message: `${error.request.server} denies the request: ${error.message}`,
      hint:
        error.code === 401
          ? 'the server does not accept the credentials of the kubeconfig; check them with `kubectl auth whoami`'
          : '`sequencer manifests` prints the rights that the sequencer needs',
    };
  if (error instanceof ApiError)
    return {
      code: 'E#2022',
      message: `${error.request.method} ${error.request.path}: ${error.message}`,
      hint: causesOf(error).join('\n') || undefined,
    };
  return explainEnd(error);
}

/** Explains why a running operator ended. */
function explainEnd(error: unknown): Explanation | undefined {
  if (error instanceof LeadershipLostError)
    return {
      code: 'E#2060',
      message: `${error.message}: another replica may be the leader by now, so this one has ended`,
      hint: 'a restart makes it a candidate again; if it happens often, look at the API server and at this process’s CPU limit',
    };
  if (error instanceof DrainError)
    return {
      code: 'E#2061',
      message: error.message,
      hint: 'the next replica recovers the attempts that were cut off (docs/guard.md); a reconciler must end when its signal aborts',
    };
  if (error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return {
      code: 'E#2062',
      message: `the health server or the page cannot listen: ${error.message}`,
      hint: 'choose another --health-port, --metrics-port, --page, --health-host or --page-host',
    };
  return undefined;
}

const indented = (text: string): readonly string[] => text.split('\n').map((line) => `  ${line}`);

/** Formats a failure: for each of its parts a message with its code, then advice; the stack with its causes only if `debug`. */
export const reportOf = (error: unknown, debug: boolean): readonly string[] =>
  failuresOf(error).flatMap((failure) => reportOne(failure, debug).map(plainText));

function reportOne(error: unknown, debug: boolean): readonly string[] {
  const { code, message, hint } = explain(error) ?? {
    code: 'E#2000',
    message: `internal error: ${messageOf(error)}`,
    hint: 'run it again with --log-level debug, which shows the stack trace',
  };
  return [
    `error ${code}: ${message}`,
    ...indented(hint ?? `sequencer explain ${code} says what to do`),
    ...(debug && error instanceof Error ? indented(stackOf(error)) : []),
  ];
}

const stackOf = (error: Error): string =>
  error.cause instanceof Error ? `${error.stack}\ncaused by ${stackOf(error.cause)}` : `${error.stack}`;
