import type { FuzzRequest } from './arbitraries.ts';

/** Requests that failed once and are fixed. */
export const found: readonly (readonly FuzzRequest[])[] = [
  // A continue token that is not a JSON object, or one with members of other types.
  [{ method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments?continue=bnVsbA', headers: {} }],
  [
    {
      method: 'GET',
      path: '/api/v1/namespaces/default/pods?continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoxfQ',
      headers: {},
    },
  ],
  // Bodies of subresources that are not JSON.
  ...[
    'PATCH /apis/apps/v1/namespaces/default/deployments/a/scale',
    'POST /api/v1/namespaces/default/pods/a/eviction',
  ].map((line) => [
    { method: line.split(' ')[0]!, path: line.split(' ')[1]!, headers: { 'content-type': 'application/json' } },
  ]),
];
