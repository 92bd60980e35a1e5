/** What a subject may say that it cannot do, by name. */
export const caseNames = [
  'completes',
  'once',
  'follows',
  'cleans',
  'unreconciled',
  'marks',
  'handles',
  'find',
  'observe',
  'create',
  'update',
  'delete',
  'reports',
  'definite',
  'ambiguous',
  'throttled',
  'signal',
  'locked',
  'paused',
  'unasked',
  'secrets',
  'mends',
  'rivals',
  'crash',
  'memory',
  'covers',
] as const;

/** One thing that every integration has to do. */
export type CaseName = (typeof caseNames)[number];
