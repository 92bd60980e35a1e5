/** Scenarios of access reviews. */

import type { Scenario, Step } from '../runner/scenario.ts';
import { review, reviews, user } from './grants.ts';

/** Invalid access reviews. */
export const refusedReviews: Scenario = {
  apart: true,
  name: 'access reviews that are refused',
  steps: [
    ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'namespaces/{ns}/localsubjectaccessreviews'].flatMap(
      (kind) =>
        [
          {},
          { spec: {} },
          { spec: { user } },
          { spec: { user, resourceAttributes: {} } },
          { spec: { user, nonResourceAttributes: {} } },
          { spec: { user, resourceAttributes: {}, nonResourceAttributes: { path: '/x', verb: 'get' } } },
          { spec: { groups: ['g'], resourceAttributes: { verb: 'get', resource: 'pods' } } },
          { spec: { groups: [''], resourceAttributes: { verb: 'get', resource: 'pods' } } },
          { spec: { uid: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } } },
          { spec: { user, resourceAttributes: { namespace: 'other', verb: 'get', resource: 'pods' } } },
          { spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } } },
          { metadata: { name: 'x' }, spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
          { metadata: { namespace: '{ns}' }, spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
          { metadata: { namespace: 'other' }, spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
          { metadata: { labels: { a: 'b' } }, spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
          { spec: { user, resourceAttributes: { verb: 5 } } },
          { spec: { user, nope: 1, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
          { kind: 'Nope', apiVersion: 'authorization.k8s.io/v1' },
          {
            status: { allowed: true, reason: 'x' },
            spec: { user, resourceAttributes: { namespace: '{ns}', verb: 'get' } },
          },
          { spec: { user, extra: { A: ['x'] }, resourceAttributes: { namespace: '{ns}', verb: 'get' } } },
        ].map((body): Step => ({ path: `${reviews}/${kind}`, body })),
    ),
    ...[
      {},
      { spec: {} },
      { spec: { namespace: '' } },
      { spec: { namespace: '{ns}' } },
      { spec: { namespace: 'BAD ' } },
      { metadata: { name: 'x' }, spec: { namespace: '{ns}' } },
    ].map((body): Step => ({ path: `${reviews}/selfsubjectrulesreviews`, body })),
    ...['selfsubjectaccessreviews', 'subjectaccessreviews', 'selfsubjectrulesreviews'].flatMap((kind): Step[] => [
      { path: `${reviews}/${kind}` },
      { path: `${reviews}/${kind}/x` },
      { method: 'DELETE', path: `${reviews}/${kind}` },
      { path: `${reviews}/${kind}?dryRun=All`, body: { spec: { user, namespace: '{ns}', resourceAttributes: {} } } },
    ]),
    { path: `${reviews}/localsubjectaccessreviews`, body: { spec: { user, resourceAttributes: { verb: 'get' } } } },
    {
      path: `${reviews}/namespaces/none-such/localsubjectaccessreviews`,
      body: { spec: { user, resourceAttributes: { verb: 'get' } } },
    },
  ],
};

const selecting = (key: 'fieldSelector' | 'labelSelector', selector: unknown): Step =>
  review({ resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'pods', [key]: selector } });

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Bogus', ''];
/** Access reviews with selectors. */
export const selectorReviews: Scenario = {
  apart: true,
  name: 'access reviews with selectors',
  steps: (['fieldSelector', 'labelSelector'] as const).flatMap((key) => [
    selecting(key, {}),
    selecting(key, null),
    selecting(key, { rawSelector: 'a=b' }),
    selecting(key, { rawSelector: 'a=b,c in (d)' }),
    selecting(key, { rawSelector: '!!' }),
    selecting(key, { requirements: [] }),
    selecting(key, { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] }),
    ...operators.flatMap((operator) => [
      selecting(key, { requirements: [{ key: 'a', operator }] }),
      selecting(key, { requirements: [{ key: 'a', operator, values: ['x'] }] }),
      selecting(key, { requirements: [{ key: 'a', operator, values: ['x', 'y'] }] }),
    ]),
    selecting(key, { requirements: [{ operator: 'In', values: ['x'] }] }),
    selecting(key, { requirements: [{ key: 'bad key', operator: 'Exists' }] }),
    selecting(key, { requirements: [{ key: 'a', operator: 'In', values: ['bad value!'] }] }),
  ]),
};
