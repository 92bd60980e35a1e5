import type { Scenario, Step } from '../runner/scenario.ts';
import { at, changeJson, create, spec, table, thing, versionOf } from './thing.ts';

const columns = [
  { name: 'Text', type: 'string', jsonPath: '.spec.text' },
  { name: 'Count', type: 'integer', jsonPath: '.spec.count' },
  { name: 'Share', type: 'number', jsonPath: '.spec.share', priority: 1 },
  { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
  { name: 'Since', type: 'date', jsonPath: '.spec.since' },
  { name: 'First', type: 'string', jsonPath: '.spec.list[0]', description: 'the first' },
  { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Label', type: 'string', jsonPath: '.metadata.labels.app\\.kubernetes\\.io/name' },
  { name: 'Map', type: 'string', jsonPath: '.spec.map' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

const shown: readonly object[] = [
  {},
  {
    spec: {
      text: 'a',
      count: 5,
      share: 0.5,
      on: true,
      since: '2020-01-02T03:04:05Z',
      list: ['x', 'y'],
      map: { a: { b: 1 } },
    },
  },
  { spec: { text: 5, count: 'many', share: 'x', on: 'yes', since: 'never', list: [], map: [1, 2] } },
  { spec: { text: '', count: 0, share: 0, on: false, since: '', list: [null], map: {} } },
  { spec: { text: null, count: 1.5, share: 1e21, on: null, since: null, list: [{ a: 1 }], map: 'x' } },
  {
    spec: { count: 9007199254740991, share: 100, text: 'ä\n', list: [true, 5, 'z'] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Ready', status: 'False' },
      ],
    },
  },
];

/** Definitions with objects that show the effects of changes. */
export const objectScenarios: readonly Scenario[] = [
  {
    name: 'definitions: columns of all types',
    apart: true,
    steps: [
      ...create([versionOf('v1', { additionalPrinterColumns: columns })]),
      ...shown.map((more, index): Step => ({ path: at('v1'), body: thing('v1', `t${index}`, more) })),
      ...shown.map((_, index): Step => ({ path: at('v1', `t${index}`), headers: table })),
      { path: `${at('v1')}?includeObject=None`, headers: table },
    ],
  },
  {
    name: 'definitions: subresources come and go',
    apart: true,
    steps: [
      ...create([versionOf('v1')]),
      { path: at('v1'), body: thing('v1', 'a', { spec: { replicas: 1 }, status: { replicas: 2 } }) },
      { path: `${at('v1', 'a')}/status` },
      changeJson({
        op: 'add',
        path: '/spec/versions/0/subresources',
        value: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      }),
      { path: `${at('v1', 'a')}/status`, until: 200, silent: true },
      { path: `${at('v1', 'a')}/scale` },
      { method: 'PATCH', path: at('v1', 'a'), body: { status: { replicas: 5 } } },
      {
        method: 'PATCH',
        path: `${at('v1', 'a')}/status`,
        body: {
          spec: { replicas: 9 },
          status: { replicas: 5, selector: 'a=b' },
          metadata: { labels: { l: 'm' }, annotations: { n: 'o' } },
        },
      },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { replicas: 3 } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { metadata: { labels: { x: 'y' } } } },
      { path: `${at('v1', 'a')}/scale` },
      { method: 'PATCH', path: `${at('v1', 'a')}/scale`, body: { spec: { replicas: 7 } } },
      { method: 'PATCH', path: `${at('v1', 'a')}/scale`, body: { spec: { replicas: -1 } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: null } },
      { path: `${at('v1', 'a')}/scale` },
      { path: at('v1'), body: thing('v1', 'b', { spec: {}, status: { replicas: 1 } }) },
      { path: `${at('v1', 'b')}/scale` },
      changeJson({ op: 'remove', path: '/spec/versions/0/subresources' }),
      { path: `${at('v1', 'a')}/status`, until: 404, silent: true },
      { path: `${at('v1', 'a')}/scale` },
      { method: 'PATCH', path: at('v1', 'a'), body: { status: { replicas: 6 } } },
    ],
  },
  {
    name: 'definitions: fields that select',
    apart: true,
    steps: [
      ...create([
        versionOf(
          'v1',
          { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.on' }, { jsonPath: '.spec.n' }] },
          spec({ color: { type: 'string' }, on: { type: 'boolean' }, n: { type: 'integer' } }),
        ),
      ]),
      ...[{ color: 'red', on: true, n: 1 }, { color: 'blue', on: false }, {}].map(
        (one, index): Step => ({ path: at('v1'), body: thing('v1', `s${index}`, { spec: one }) }),
      ),
      ...[
        'spec.color%3Dred',
        'spec.color!%3Dred',
        'spec.color%3D',
        'spec.on%3Dtrue',
        'spec.on%3Dfalse',
        'spec.n%3D1',
        'spec.other%3D1',
        'metadata.name%3Ds1',
        'spec.color%3Dred,spec.n%3D1',
        'status.x%3D1',
      ].map((selector): Step => ({ path: `${at('v1')}?fieldSelector=${selector}` })),
    ],
  },
  {
    name: 'definitions: ratcheting',
    apart: true,
    steps: [
      ...create([
        versionOf(
          'v1',
          {},
          spec({
            a: { type: 'string' },
            b: { type: 'string' },
            list: {
              type: 'array',
              items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } },
            },
            m: { type: 'object', additionalProperties: { type: 'string' } },
          }),
        ),
      ]),
      {
        path: at('v1'),
        body: thing('v1', 'a', {
          spec: {
            a: 'long enough',
            b: 'x',
            list: [
              { k: 'one', v: 1 },
              { k: 'two', v: 2 },
            ],
            m: { p: 'q', r: 's' },
          },
        }),
      },
      changeJson(
        { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/maxLength', value: 3 },
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/list/items/properties/v/maximum',
          value: 0,
        },
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/list/maxItems',
          value: 1,
        },
        {
          op: 'add',
          path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/m/additionalProperties/enum',
          value: ['z'],
        },
        { op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/required', value: ['gone'] },
      ),
      {
        path: `${at('v1')}?dryRun=All`,
        body: thing('v1', 'probe', { spec: { a: 'long enough' } }),
        until: 422,
        silent: true,
      },
      { method: 'PATCH', path: at('v1', 'a'), body: { metadata: { labels: { a: 'b' } } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { b: 'y' } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { a: 'other long' } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { m: { p: 'changed' } } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { list: [{ k: 'one', v: 1 }] } } },
      { method: 'PATCH', path: at('v1', 'a'), body: { spec: { gone: 'here' } } },
      {
        path: at('v1'),
        body: thing('v1', 'b', { spec: { a: 'long enough', list: [{ v: 1 }, { v: 2 }], m: { p: 'q' } } }),
      },
    ],
  },
];
