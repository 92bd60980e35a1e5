import test from 'ava';
import { createCluster } from '../../../cluster/index.ts';
import { askOf } from '../fixtures/ask.ts';
import { answersAsReal, type ExpectedAnswer } from '../fixtures/expected-answers.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const before = ['a', 'b', 'c'].map(
  (name, index) => [`POST ${maps}`, { metadata: { name, labels: { odd: String(index % 2) } } }] as const,
);

const get = (path: string, answer: string, more: Partial<ExpectedAnswer> = {}): ExpectedAnswer => ({
  ask: `GET ${path}`,
  answer,
  ...more,
});
const parse = (text: string, why: string) => `400 strconv.ParseInt: parsing "${text}": ${why}`;
const token = (why: string) => `400 invalid continue token: continue key is not valid: ${why}`;

test(
  'reads options of lists and watches as Go does',
  answersAsReal({ before }, [
    get(`${maps}?limit=`, parse('', 'invalid syntax')),
    get(`${maps}?limit=99999999999999999999`, parse('99999999999999999999', 'value out of range')),
    get(`${maps}?timeoutSeconds=x`, parse('x', 'invalid syntax')),
    get(`${maps}?watch=1&limit=x`, parse('x', 'invalid syntax')),
    get(`${maps}?continue=x`, token('illegal base64 data at input byte 0')),
    get(`${maps}?continue=eyJ2Ijoi`, token('unexpected end of JSON input')),
    get(`${maps}?continue=x&resourceVersion=1`, token('illegal base64 data at input byte 0')),
    get(
      `${maps}?watch=1&continue=x`,
      '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ),
    get(`${maps}/a?timeout=5`, '400 invalid timeout specified in the request URL - time: missing unit in duration "5"'),
    get(`${maps}?fieldSelector=metadata.name%3Da%5C`, '400 invalid field selector: invalid escape sequence: \\'),
    get(`${maps}?fieldSelector=metadata.name%3Da%3Db`, '400 invalid field selector: unescaped character in value: 61'),
    get(`${maps}?labelSelector=a+in+(x+y)`, "400 unable to parse requirement: found 'y', expected: ',' or ')'"),
    get(`${maps}?labelSelector=a+in+(x`, "400 unable to parse requirement: found '', expected: ',' or ')'"),
    get('/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D0', '400 "status.replicas" is not a known field …'),
    get('/apis/batch/v1/jobs?fieldSelector=status.active%3D0', '400 field label "status.active" not supported for Job'),
  ]),
);

const only = '406 only the following media types are accepted: ';
const none = '406 406: Not Acceptable\n\nAvailable representations: ';
const forms = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const streams = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';
const accepting = (path: string, accept: string, answer: string) => get(path, answer, { headers: { accept } });

test(
  'offers the media types that the real server offers',
  answersAsReal({ before }, [
    accepting(`${maps}/a`, 'application/*', none + forms),
    accepting(`${maps}/a`, 'APPLICATION/JSON', none + forms),
    accepting(`${maps}/a`, 'application/json;stream=nope', only + forms),
    accepting(`${maps}/a`, 'application/json;as=Table', only + forms),
    accepting(maps, 'text/plain', `${none}${forms}, ${streams}`),
    accepting(`${maps}?watch=1`, 'application/yaml', '406'),
    accepting(
      maps,
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      '406 you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
    ),
    accepting(
      `${maps}/a`,
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      '406 you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
    ),
    accepting('/api', 'text/plain', none + forms),
    accepting('/apis', 'text/plain', only + forms),
    accepting('/apis/apps', 'application/json;as=Nope;v=v1;g=x', only + forms),
    accepting('/version', 'text/plain', `${none}application/json`),
    get('/apis/apps/v9', '404 the server could not find the requested resource'),
  ]),
);

const unread =
  "400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";
const syntax: readonly (readonly [body: string, why: string])[] = [
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":1.}', "invalid character '}' after decimal point in numeric literal"],
  ['{"a":1e}', "invalid character '}' in exponent of numeric literal"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['{"a":nul', "invalid character ' ' in literal null (expecting 'l')"],
  ['{"a":"\\x"}', "invalid character 'x' in string escape code"],
  ['{"a":"\\u12"}', "invalid character '\"' in \\u hexadecimal character escape"],
  ['{"a":"\n"}', "invalid character '\\n' in string literal"],
  ['{"a":1} x', "invalid character 'x' after top-level value"],
  ['{"a":[1 2]}', "invalid character '2' after array element"],
  ['{"a":-}', "invalid character '}' in numeric literal"],
  ['{', 'unexpected end of JSON input'],
];

test(
  "says what Go's scanner says of bodies that are not JSON",
  answersAsReal({}, [
    ...syntax.map(([body, why]) => ({ ask: `POST ${maps}`, body, answer: `${unread}${why} (${body})` })),
    {
      ask: `POST ${maps}`,
      body: '\ufeff{}',
      answer: `${unread}invalid character 'ï' looking for beginning of value (efbbbf7b7d)`,
    },
    {
      ask: `POST ${maps}`,
      body: 'apiVersion: v1\nkind: ConfigMap\n',
      answer: `${unread}invalid character 'a' looking for beginning of value (61706956657273696f6e3a2076310a6b696e643a20436f6e6669674d6170 ...)`,
    },
    { ask: `POST ${maps}`, body: '{"metadata":{"name":"x"}}', headers: { 'content-type': '' }, answer: '201' },
  ]),
);

const options = (body: unknown, answer: string): ExpectedAnswer => ({
  ask: `DELETE ${maps}/a`,
  body,
  type: 'application/json',
  answer,
});
test(
  'reads options of deletions as Go does',
  answersAsReal({ before }, [
    options(
      { gracePeriodSeconds: 'x' },
      '500 json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ),
    options(
      { dryRun: 'All' },
      '500 json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string',
    ),
    options(
      [],
      "500 couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct…",
    ),
    { ask: `DELETE ${maps}?labelSelector=odd&limit=1&dryRun=All`, answer: '200', like: { items: { length: 1 } } },
    {
      ask: `DELETE ${maps}?resourceVersionMatch=Exact`,
      answer:
        '422 ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    },
  ]),
);

const owned = (owner: object): ExpectedAnswer['body'] => ({ metadata: { name: 'x', ownerReferences: [owner] } });
test(
  'refuses owners that cannot be, and says so as often as the server looks',
  answersAsReal({ before }, [
    {
      ask: `POST ${maps}`,
      body: owned({ apiVersion: 'a/b/c', kind: 'X', name: 'x', uid: 'u' }),
      answer:
        '422 ConfigMap "x" is invalid: metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    },
    {
      ask: `POST ${maps}`,
      body: owned({ apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'u' }),
      answer:
        '422 ConfigMap "x" is invalid: metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    },
    {
      ask: `PATCH ${maps}/a`,
      body: { metadata: { labels: { 'bad key': 'x' } } },
      answer: '422 ConfigMap "a" is invalid: metadata.labels: Invalid value: "bad key": name part must consist of…',
      like: { details: { causes: { length: 4 } } },
    },
  ]),
);

test('continues after a full page as long as there is something, whatever it is', async (t) => {
  const cluster = await createCluster({ kubelet: false });
  t.teardown(() => cluster.close());
  const ask = askOf(cluster);
  for (const [what, body] of before) await ask(what, body);
  const { body } = await ask(`GET ${maps}?limit=2&labelSelector=odd%3D0`);
  const { continue: token, remainingItemCount } = body.metadata as { continue: string; remainingItemCount?: number };
  t.is((body.items as object[]).length, 2);
  t.truthy(token);
  t.is(remainingItemCount, undefined);
  const next = await ask(`GET ${maps}?limit=2&labelSelector=odd%3D0&continue=${token}`);
  t.deepEqual(next.body.items, []);
});

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
test(
  'refuses roles and bindings in the words of the real server',
  answersAsReal({}, [
    {
      ask: `POST ${roles}`,
      body: { metadata: { name: 'x' }, aggregationRule: { clusterRoleSelectors: [] } },
      answer:
        '422 ClusterRole.rbac.authorization.k8s.io "x" is invalid: aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    },
    {
      ask: `POST ${bindings}`,
      body: {
        metadata: { name: 'x' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Nope', name: 'y' },
        subjects: [{ kind: 'User', apiGroup: 'x', name: 'u' }],
      },
      answer:
        '422 RoleBinding.rbac.authorization.k8s.io "x" is invalid: [roleRef.kind: Unsupported value: "Nope": supported values: "Role", "ClusterRole", subjects[0].apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io"]',
    },
  ]),
);

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const constraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
};
const policy = (spec: object, why: string): ExpectedAnswer => ({
  ask: `POST ${policies}`,
  body: { metadata: { name: 'x' }, spec: { matchConstraints: constraints, ...spec } },
  answer: `422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "x" is invalid: ${why}`,
});
test(
  'refuses policies of admission in the words of the real server',
  answersAsReal({}, [
    policy({ validations: [{}] }, 'spec.validations[0].expression: Required value: expression is not specified'),
    policy(
      { validations: [{ expression: 'true', reason: 'Bogus' }] },
      'spec.validations[0].reason: Unsupported value: "Bogus": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
    ),
    policy(
      { validations: [{ expression: 'true', message: ' ' }] },
      'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
    ),
    policy(
      { paramKind: { apiVersion: 'a/b/c', kind: 'X' }, validations: [{ expression: 'true' }] },
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ),
  ]),
);
