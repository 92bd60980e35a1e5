import type { Scenario, Step } from '../runner/scenario.ts';
import { readPolicies } from './tables.ts';

const { validations, specs, asked } = readPolicies();

const group = '/apis/admissionregistration.k8s.io/v1';
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;

const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }];

/** Selects the scenario's namespace. */
const here = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } };

const policy = (spec: object, name = '{ns}.example.com') => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: 'true' }], ...spec },
});

const validated = (...expressions: readonly (string | object)[]) => ({
  validations: expressions.map((one) => (typeof one === 'string' ? { expression: one } : one)),
});

const dry = (name: string, bodies: readonly object[]): Scenario => ({
  name: `policies: ${name}`,
  steps: bodies.map((body): Step => ({ path: `${policies}?dryRun=All`, body })),
});

const configMaps = '/api/v1/namespaces/{ns}/configmaps';

const configMap = (name: string, data: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const binding = (spec: object, name = '{ns}.example.com') => ({
  metadata: { name },
  spec: {
    policyName: '{ns}.example.com',
    validationActions: ['Deny'],
    matchResources: { namespaceSelector: here },
    ...spec,
  },
});

/** A policy in force: the first write is repeated until the policy applies, then others follow. */
const lived = (name: string, spec: object, { bound = {}, before = [], writes = [] }: Lived): Scenario => ({
  name: `policies: ${name}`,
  steps: [
    ...before.map((step): Step => ({ ...step, silent: true })),
    {
      path: policies,
      body: policy({
        matchConstraints: { resourceRules: rules, namespaceSelector: here },
        ...spec,
        validations: [{ expression: 'object.metadata.name != "probe"' }, ...validationsIn(spec)],
      }),
      silent: true,
    },
    { path: bindings, body: binding(bound), silent: true },
    { path: `${configMaps}?dryRun=All`, body: configMap('probe', { a: '1' }), until: 422, silent: true },
    ...writes,
    { method: 'DELETE', path: `${bindings}/{ns}.example.com`, silent: true },
    { method: 'DELETE', path: `${policies}/{ns}.example.com`, silent: true },
  ],
});

interface Lived {
  readonly bound?: object;
  readonly before?: readonly Step[];
  readonly writes?: readonly Step[];
}

const validationsIn = (spec: object): readonly object[] =>
  (spec as { readonly validations?: readonly object[] }).validations ?? [];

const created = (...maps: readonly object[]): readonly Step[] => maps.map((body): Step => ({ path: configMaps, body }));

const slow =
  'object.data.a.split("").all(x, object.data.a.split("").all(y, object.data.a.split("").size() > 0 && x == y))';

/** Policies: refusals of invalid ones, and messages of those in force. */
export const policyScenarios: readonly Scenario[] = [
  dry(
    'expressions',
    validations.map((one) => policy(validated(one))),
  ),
  dry(
    'variables',
    specs.variables!.map((one) => policy(one)),
  ),
  dry(
    'specs',
    specs.others!.map((one) => policy(one)),
  ),
  ...asked.map((one, index) =>
    lived(`asked ${index}`, validated(one), { writes: created(configMap('x', { a: '1', b: 'bb' })) }),
  ),
  lived(
    'messages',
    validated(
      { expression: 'object.data.a != "1"', message: ' told ', reason: 'Forbidden' },
      { expression: 'object.data.a != "2"', messageExpression: '"it is " + object.data.a', reason: 'Invalid' },
      {
        expression: 'object.data.a != "3"',
        messageExpression: 'string(object.data.nope)',
        message: 'plain',
        reason: 'RequestEntityTooLarge',
      },
      { expression: 'object.data.a != "4"', messageExpression: '"a\\nb"' },
      { expression: 'object.data.a != "5"', messageExpression: '" "', message: 'five' },
    ),
    { writes: created(...['1', '2', '3', '4', '5', '6'].map((a) => configMap(`c${a}`, { a }))) },
  ),
  {
    name: 'policies: warnings',
    steps: [
      {
        path: policies,
        body: policy(
          validated(
            { expression: 'object.data.a == "2"', message: 'one' },
            { expression: 'object.data.a == "3"', message: 'two' },
          ),
        ),
        silent: true,
      },
      { path: bindings, body: binding({ validationActions: ['Warn', 'Audit'] }), silent: true },
      { path: bindings, body: binding({ policyName: '{ns}.other' }, '{ns}.other'), silent: true },
      {
        path: policies,
        body: policy(validated('object.metadata.name != "probe"'), '{ns}.other'),
        silent: true,
      },
      { path: `${configMaps}?dryRun=All`, body: configMap('probe'), until: 422, silent: true },
      ...created(configMap('x', { a: '1' }), configMap('y', { a: '2' })),
    ],
  },
  lived(
    'failures ignored',
    { failurePolicy: 'Ignore', ...validated('object.data.zz == "1"', 'object.data.a == "2"') },
    { writes: created(configMap('x', { a: '1' }), configMap('y', { a: '2' })) },
  ),
  lived(
    'variables at work',
    {
      variables: [
        { name: 'a', expression: 'object.data.a' },
        { name: 'n', expression: 'int(variables.a)' },
      ],
      ...validated({ expression: 'variables.n > 1', messageExpression: '"too small: " + string(variables.n)' }),
    },
    {
      writes: created(
        configMap('x', { a: '1' }),
        configMap('y', { a: '2' }),
        configMap('z', { a: 'z' }),
        configMap('w', {}),
      ),
    },
  ),
  lived(
    'conditions',
    {
      matchConditions: [
        { name: 'a', expression: 'object.data.a != "9"' },
        { name: 'b', expression: 'object.metadata.name == "probe" || object.data.b == "1"' },
      ],
      ...validated('false'),
    },
    {
      writes: created(
        configMap('x', { a: '9' }),
        configMap('y', { a: '1', b: '2' }),
        configMap('z', { a: '1', b: '1' }),
        configMap('w', { a: '1' }),
        configMap('v', {}),
      ),
    },
  ),
  lived(
    'parameters',
    {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...validated({
        expression: 'object.data.a == params.data.wanted',
        messageExpression: '"wanted " + params.data.wanted',
      }),
    },
    {
      before: [{ path: configMaps, body: configMap('params', { wanted: '1' }) }],
      bound: { paramRef: { name: 'params', namespace: '{ns}', parameterNotFoundAction: 'Deny' } },
      writes: created(configMap('x', { a: '1' }), configMap('y', { a: '2' })),
    },
  ),
  lived(
    'parameters that are not there',
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...validated('true') },
    {
      bound: { paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' } },
      writes: created(configMap('x', { a: '1' })),
    },
  ),
  lived(
    'parameters of an unknown kind',
    { paramKind: { apiVersion: 'nope.io/v1', kind: 'Nope' }, ...validated('true') },
    {
      bound: { paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' } },
      writes: created(configMap('x', { a: '1' })),
    },
  ),
  lived(
    'parameters without a reference',
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...validated('params == null', 'params.data.x == "1"') },
    {
      writes: created(configMap('x', { a: '1' })),
    },
  ),
  lived('budgets', validated(slow), {
    writes: created(configMap('x', { a: 'a'.repeat(600) }), configMap('y', { a: 'aaa' })),
  }),
];
