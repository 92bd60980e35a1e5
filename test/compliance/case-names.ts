/** What a subject may say that it cannot do, by name. */
export const caseNames = [
  'completes',
  'once',
  'follows',
  'cleans',
  'unreconciled',
  'reports',
  'definite',
  'ambiguous',
  'throttled',
  'signal',
  'locked',
  'paused',
  'unasked',
  'secrets',
  'marks',
  'mends',
  'rivals',
  'crash',
] as const;

/** One thing that every integration has to do. */
export type CaseName = (typeof caseNames)[number];
