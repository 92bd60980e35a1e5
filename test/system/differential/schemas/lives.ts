import type { Scenario } from '../runner/scenario.ts';
import {
  at,
  change,
  changeJson,
  create,
  definition,
  definitions,
  group,
  own,
  served,
  spec,
  table,
  thing,
  versionOf,
} from './thing.ts';

/** Definitions over their whole life. */
export const lifeScenarios: readonly Scenario[] = [
  {
    name: 'definitions: versions come and go',
    apart: true,
    steps: [
      ...create([versionOf('v1')]),
      { path: at('v1'), body: thing('v1', 'a', { spec: { x: 1 } }) },
      changeJson({ op: 'add', path: '/spec/versions/-', value: versionOf('v2', { deprecated: true }) }),
      served('v2'),
      { path: at('v2', 'a') },
      { path: at('v2') },
      { path: at('v2'), body: thing('v2', 'b', { spec: { y: 2 } }) },
      { path: at('v1', 'b') },
      { path: at('v1'), body: thing('v2', 'c') },
      changeJson({ op: 'replace', path: '/spec/versions/1/deprecationWarning', value: 'use v1, please' }),
      changeJson({ op: 'add', path: '/spec/versions/1/deprecationWarning', value: 'use v1, please' }),
      { path: own },
      changeJson({ op: 'replace', path: '/spec/versions/0/storage', value: false }),
      changeJson(
        { op: 'replace', path: '/spec/versions/0/storage', value: false },
        { op: 'replace', path: '/spec/versions/1/storage', value: true },
      ),
      { path: own },
      changeJson({ op: 'remove', path: '/spec/versions/0' }),
      changeJson({ op: 'replace', path: '/spec/versions/0/served', value: false }),
      { path: at('v1', 'a'), until: 404 },
      { path: `/apis/${group}/v1` },
      { path: `/apis/${group}` },
      { method: 'PATCH', path: `${own}/status`, body: { status: { storedVersions: ['v2'] } } },
      { method: 'PATCH', path: `${own}/status`, body: { status: { storedVersions: ['v1'] } } },
      { method: 'PATCH', path: `${own}/status`, body: { status: { storedVersions: [] } } },
      changeJson({ op: 'remove', path: '/spec/versions/0' }),
      { path: own },
    ],
  },
  {
    name: 'definitions: stored versions as a status says',
    steps: [
      ...create([versionOf('v1'), versionOf('v2')]),
      { path: at('v1'), body: thing('v1', 'a'), silent: true },
      ...[['v1', 'v2'], ['v1', 'v3'], ['v2'], [], ['v2', 'v2']].map((storedVersions) => ({
        method: 'PATCH' as const,
        path: `${own}/status`,
        body: { status: { storedVersions } },
      })),
      changeJson(
        { op: 'replace', path: '/spec/versions/0/storage', value: false },
        { op: 'replace', path: '/spec/versions/1/storage', value: true },
      ),
      { path: own },
      { method: 'DELETE', path: own },
    ],
  },
  {
    name: 'definitions: keys of lists',
    apart: true,
    steps: [
      ['k', 'k'],
      ['k', 'k', 'k'],
      ['k', 'other', 'k'],
    ].flatMap((keys) =>
      ['string', 'object'].map((type) => ({
        path: `${definitions}?dryRun=All`,
        body: definition([
          versionOf(
            'v1',
            {},
            spec({
              list: {
                type: 'array',
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': keys,
                items: { type: 'object', required: ['k'], properties: { k: { type } } },
              },
            }),
          ),
        ]),
      })),
    ),
  },
  {
    name: 'definitions: review versions, and no versions',
    apart: true,
    steps: [
      ...[['v1', 'v1'], ['v1', 'bad!'], ['v2'], [], ['v1', '']].map((conversionReviewVersions) => ({
        path: `${definitions}?dryRun=All`,
        body: definition([versionOf('v1')], {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions, clientConfig: { url: 'https://127.0.0.1:1/' } },
          },
        }),
      })),
      { path: `${definitions}?dryRun=All`, body: definition([]) },
      { path: `${definitions}?dryRun=All`, body: definition([versionOf('V1', { storage: true })]) },
    ],
  },
  {
    name: 'definitions: what may not change',
    apart: true,
    steps: [
      ...create([versionOf('v1')]),
      change({ spec: { scope: 'Cluster' } }),
      change({ spec: { group: 'other.example.com' } }),
      change({ spec: { names: { kind: 'Other' } } }),
      change({ spec: { names: { plural: 'others' } } }),
      change({ spec: { names: { shortNames: ['tg'], categories: ['all'], singular: 'athing', listKind: 'Things' } } }),
      change({ spec: { preserveUnknownFields: true } }),
      change({ spec: { versions: [] } }),
      change({ spec: { versions: null } }),
      change({ spec: { conversion: { strategy: 'Other' } } }),
      change({ spec: { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } } }),
      change({
        spec: { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: [], clientConfig: {} } } },
      }),
      change({
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'http://x' } },
          },
        },
      }),
      change({ status: { acceptedNames: { plural: 'x' } } }),
      change({ metadata: { labels: { a: 'b' } } }),
      { path: own },
      { path: own, headers: table, silent: true },
    ],
  },
  {
    name: 'definitions: names that clash',
    apart: true,
    steps: [
      ...create([versionOf('v1')], {
        names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['c'] },
      }),
      {
        path: definitions,
        body: definition(
          [versionOf('v1')],
          { names: { plural: 'others', kind: 'Thing', shortNames: ['th'] } },
          'others',
        ),
      },
      {
        path: `${definitions}?watch=1&fieldSelector=metadata.name%3Dothers.{ns}.example.com&timeoutSeconds=2`,
        events: 9,
        silent: true,
      },
      { path: `${definitions}/others.{ns}.example.com` },
      { path: `/apis/${group}/v1` },
      { method: 'DELETE', path: own },
      { path: `/apis/${group}/v1/namespaces/{ns}/others`, until: 200, silent: true },
      { path: `${definitions}/others.{ns}.example.com` },
      {
        path: definitions,
        body: definition([versionOf('v1')], { names: { plural: 'others', kind: 'Other' } }, 'others'),
      },
      {
        path: definitions,
        body: definition(
          [versionOf('v1')],
          {
            names: {
              plural: 'x',
              kind: 'X',
              singular: 'BAD',
              listKind: 'b ad',
              shortNames: ['A'],
              categories: ['B B'],
            },
          },
          'x',
        ),
      },
    ],
  },
  {
    name: 'definitions: life and end',
    apart: true,
    steps: [
      { path: definitions, body: definition([versionOf('v1')]) },
      served('v1'),
      { path: own },
      { path: at('v1'), body: thing('v1', 'a', { metadata: { name: 'a', finalizers: ['example.com/f'] } }) },
      { path: at('v1'), body: thing('v1', 'b') },
      { method: 'DELETE', path: own },
      { path: at('v1'), body: thing('v1', 'c'), until: 405, silent: true },
      { path: at('v1'), body: thing('v1', 'c') },
      { path: at('v1', 'a') },
      { path: own },
      { method: 'PATCH', path: at('v1', 'a'), body: { metadata: { finalizers: null } } },
      { path: own, until: 404, silent: true },
      { path: at('v1', 'a') },
      { path: own },
    ],
  },
  {
    name: 'definitions: across the cluster',
    apart: true,
    steps: [
      { path: definitions, body: definition([versionOf('v1')], { scope: 'Cluster' }), silent: true },
      { path: `/apis/${group}/v1/things`, until: 200, silent: true },
      { path: `/apis/${group}/v1/things`, body: thing('v1', 'a') },
      { path: `/apis/${group}/v1/things`, body: thing('v1', 'b', { metadata: { name: 'b', namespace: 'x' } }) },
      { path: at('v1') },
      { path: at('v1'), body: thing('v1', 'c') },
      { path: `/apis/${group}/v1/things/a` },
      { method: 'DELETE', path: `/apis/${group}/v1/things/a` },
      { method: 'DELETE', path: `/apis/${group}/v1/things` },
    ],
  },
];
