/** Names of the compliance cases. */

/** Names of the cases, which a subject may exclude by `cannot`. */
export const caseNames = [
  'completes',
  'once',
  'follows',
  'cleans',
  'emptied',
  'unreconciled',
  'marks',
  'handles',
  'validate',
  'find',
  'observe',
  'create',
  'update',
  'delete',
  'outage',
  'answers',
  'reports',
  'definite',
  'ambiguous',
  'throttled',
  'signal',
  'locked',
  'paused',
  'unhandled',
  'secrets',
  'fixes',
  'contended',
  'crash',
  'memory',
  'covers',
  'copied',
  'forged',
  'restored',
] as const;

/** Name of a compliance case. */
export type CaseName = (typeof caseNames)[number];
