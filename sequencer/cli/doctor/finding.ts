/** Results of the checks of `sequencer doctor`. */

import { oneLine } from '../output/plain-text.ts';

/** Result of one check. */
export interface Finding {
  readonly check: string;
  /** `unknown`: it could not be checked. */
  readonly status: 'ok' | 'problem' | 'unknown';
  readonly detail: string;
  /** Command or step that helps. */
  readonly next?: string;
}

const marks = { ok: '✔', problem: '✘', unknown: '?' } as const;
const maxLength = 400;

/** Returns a text as one line without control characters: reasons are written by third parties. */
const plain = (text: string): string => {
  const line = oneLine(text);
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
};

/** Formats findings as lines: the finding, and below it the advice. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.flatMap(({ check, status, detail, next }) => [
    `${marks[status]} ${check.padEnd(width)}  ${plain(detail)}`,
    ...(next === undefined ? [] : [`${' '.repeat(width + 4)}${plain(next)}`]),
  ]);
}

/** Formats findings as JSON. */
export const findingsJson = (findings: readonly Finding[]): string => JSON.stringify({ findings }, undefined, 2);

/** Returns the exit code: 1 with any problem. */
export const codeOf = (findings: readonly Finding[]): number =>
  findings.some(({ status }) => status === 'problem') ? 1 : 0;

/** Returns the command that prints the logs of all pods of an operator. */
export const logsOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
  `kubectl -n ${namespace} logs -l app.kubernetes.io/name=${name} --prefix --tail=100`;
