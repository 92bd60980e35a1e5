import test from 'ava';
import { aDefinition } from '../fixtures/a-definition.ts';
import { answersAsReal, type ExpectedAnswer } from '../fixtures/expected-answers.ts';

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const maps = '/api/v1/namespaces/default/configmaps';
const before = [[`POST ${maps}`, { metadata: { name: 'a' }, data: { a: '1', b: '2' } }]] as const;

const patches =
  (type: string) =>
  (body: unknown, answer: string, more: Partial<ExpectedAnswer> = {}): ExpectedAnswer => ({
    ask: `PATCH ${maps}/a`,
    type,
    body,
    answer,
    ...more,
  });

const unprocessable = '422 the server rejected our request due to an error in our request';
const byJson = patches(json);
test(
  'reads JSON patches as Go does',
  answersAsReal({ before }, [
    byJson('null', '200'),
    byJson(
      'true',
      '400 error decoding patch: json: cannot unmarshal bool into Go value of type []handlers.jsonPatchOp',
    ),
    byJson('[1]', '400 error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'),
    byJson(
      [{ op: 'add', path: 5 }],
      '400 error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string',
    ),
    byJson([{ op: 'add', path: '', value: {} }], unprocessable),
    byJson([{ op: 'copy', path: '/data/c', from: '' }], unprocessable),
    byJson([{ op: 'add', path: 'data/a', value: '1' }], '200'),
    byJson([{ op: 'copy', path: '/data/c', from: '/data/none' }], '200', { like: { data: { c: '' } } }),
    byJson([{ op: 'add', path: '/data/d', value: '1', extra: 1 }], '200', {
      warning: '299 - "json patch unknown field \\"[0].extra\\""',
    }),
    byJson('[{"op":"add","op":"test","path":"/data/d","value":"1"}]', '200', {
      warning: '299 - "json patch duplicate field \\"[0].op\\""',
    }),
    byJson(
      [{ op: 'remove', path: '/apiVersion' }],
      '400 the name of the object (a based on URL) was undeterminable: name must be provided',
    ),
    byJson([{ op: 'replace', path: '/data', value: 5 }], '422  "" is invalid: patch: Invalid value: "{…'),
    { ask: `PATCH ${maps}/none`, type: json, body: '{', answer: '404 configmaps "none" not found' },
  ]),
);

const writtenAs = (written: string) => (path: string) => `[{"op":"test","path":"${path}","value":${written}}]`;
const [ampersand, escapedOnce, escapedTwice] = ['"a&b"', '"a\\u0026b"', '"\\u0061\\u0026b"'].map(writtenAs);
test(
  'compares texts and numbers of a test as they are written',
  answersAsReal(
    {
      before: [
        [`POST ${maps}`, { metadata: { name: 'a' }, data: { a: 'a&b', b: '😀' } }],
        ['POST /api/v1/namespaces/default/services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } }],
      ],
    },
    [
      byJson(ampersand!('/data/a'), unprocessable),
      byJson(escapedOnce!('/data/a'), '200'),
      byJson(escapedTwice!('/data/a'), unprocessable),
      byJson('[{"op":"test","path":"/data","value":{"a":"a&b","b":"😀"}}]', unprocessable),
      byJson('[{"op":"test","path":"/data","value":{"b" : "😀", "a":"a\\u0026b"}}]', '200'),
      byJson('[{"op":"test","path":"/data/b","value":"\\ud83d\\ude00"}]', unprocessable),
      ...(
        [
          ['80', '200'],
          ['80.0', unprocessable],
          ['8e1', unprocessable],
        ] as const
      ).map(([port, answer]) => ({
        ...byJson(writtenAs(port)('/spec/ports/0/port'), answer),
        ask: 'PATCH /api/v1/namespaces/default/services/a',
      })),
    ],
  ),
);

const lone = '"\\ud800 lone"';
const data = { a: '\ufffd lone' };
test(
  'replaces halves of surrogate pairs as Go does, and refuses them in YAML',
  answersAsReal({}, [
    { ask: `POST ${maps}`, body: `{"metadata":{"name":"a"},"data":{"a":${lone}}}`, answer: '201', like: { data } },
    byJson(`[{"op":"add","path":"/data/b","value":${lone}}]`, '200', { like: { data: { b: data.a } } }),
    byJson(writtenAs(lone)('/data/a'), unprocessable),
    patches(merge)(`{"data":{"c":${lone}}}`, '200', { like: { data: { c: data.a } } }),
    patches(strategic)(`{"data":{"d":${lone}}}`, '200', { like: { data: { d: data.a } } }),
    ...(
      [
        ['\\ud800', 'found invalid Unicode character escape code'],
        ['\\ud83d\\ude00', 'found invalid Unicode character escape code'],
        ['\\/', 'found unknown escape character'],
        ['\u007f', 'control characters are not allowed'],
      ] as const
    ).map(([written, why]) => ({
      ask: `PATCH ${maps}/a?fieldManager=x`,
      type: 'application/apply-patch+yaml',
      body: `{"apiVersion":"v1","kind":"ConfigMap","data":{"e":"${written}"}}`,
      answer: `400 error decoding YAML: error converting YAML to JSON: yaml: ${why}`,
    })),
  ]),
);

const large = 'x'.repeat(100_000);
test(
  'refuses JSON patches whose copies grow too large',
  answersAsReal({ before }, [
    byJson(
      [
        { op: 'add', path: '/data/x', value: large },
        ...Array.from({ length: 6 }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/${index}` })),
      ],
      unprocessable,
    ),
  ]),
);

const byMerge = patches(merge);
test(
  'reads merge patches as Go does',
  answersAsReal({ before }, [
    byMerge('null', '400 Invalid JSON Patch'),
    byMerge(
      '[]',
      '400 error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ),
    byMerge('{"data":}', "400 error decoding patch: invalid character '}' looking for beginning of value"),
    byMerge({ metadata: { resourceVersion: 'abc' } }, '500 strconv.ParseUint: parsing "abc": invalid syntax'),
    byMerge({ kind: 'Secret', data: null }, '422  "" is invalid: patch: Invalid value: "{…'),
    { ...byMerge({ data: { x: '1' } }, '415 415: Unsupported Media Type'), type: 'Application/Merge-Patch+JSON' },
  ]),
);

const byStrategy = patches(strategic);
const unmarshalError = (patch: string, why: string) => `422  "" is invalid: patch: Invalid value: "${patch}": ${why}`;
test(
  'reads strategic patches as Go does',
  answersAsReal({ before }, [
    byStrategy('null', '200'),
    byStrategy('[]', '400 json: cannot unmarshal array into Go value of type map[string]interface {}'),
    byStrategy('a: b', "400 invalid character 'a' looking for beginning of value"),
    byStrategy({ data: 5 }, unmarshalError('map[data:5]', 'cannot restore map from int64')),
    byStrategy({ data: { a: 5 } }, unmarshalError('map[data:map[a:5]]', 'cannot convert int64 to string')),
    byStrategy({ metadata: 'x' }, unmarshalError('map[metadata:x]', 'cannot restore struct from: string')),
    byStrategy(
      { metadata: { finalizers: 'x' } },
      unmarshalError('map[metadata:map[finalizers:x]]', 'cannot restore slice from string'),
    ),
    byStrategy({ kind: 'Secret' }, '200', { like: { kind: 'ConfigMap' } }),
    byStrategy({ metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } }, '200'),
    byStrategy(
      { metadata: { '$setElementOrder/finalizers': ['a.b/c'], finalizers: ['a.b/d'] } },
      "500 The order in patch list:\n[a.b/d]\n doesn't match $setElementOrder list:\n[a.b/c]\n",
    ),
    byStrategy({ metadata: { labels: { $retainKeys: ['x'], a: 'b', $patch: 'replace' } } }, '200'),
    byStrategy({ data: { $retainKeys: ['b'], a: '1' } }, '400 invalid patch format of retainKeys'),
    byStrategy({ data: { $patch: 'delete' } }, '200'),
    byStrategy({ data: { $patch: 'merge', a: '1' } }, '200', { like: { data: undefined } }),
  ]),
);

const things = '/apis/example.com/v1/namespaces/default/gadgets';
const definition = aDefinition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const thing = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'a' }, spec: { list: [1] } };
const toThing =
  (type: string) =>
  (body: unknown, answer: string, more: Partial<ExpectedAnswer> = {}): ExpectedAnswer => ({
    ask: `PATCH ${things}/a`,
    type,
    body,
    answer,
    ...more,
  });
test(
  'tells what of a custom resource a patch may not remove',
  answersAsReal(
    {
      before: [
        ['POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition],
        [`POST ${things}`, thing],
      ],
    },
    [
      toThing(json)([{ op: 'remove', path: '/kind' }], '422  "" is invalid: patch: Invalid value: …'),
      toThing(json)(
        [{ op: 'remove', path: '/apiVersion' }],
        "500 Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
      ),
      toThing(json)(
        [{ op: 'remove', path: '/metadata/resourceVersion' }],
        '422 gadgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ),
      toThing(merge)(
        { apiVersion: 'v9' },
        '422 Gadget "a" is invalid: apiVersion: Invalid value: "v9": must be example.com/v1',
        { warning: '' },
      ),
      toThing(json)([{ op: 'add', path: '/spec/list/+1', value: 2 }], '200', { like: { spec: { list: [1, 2] } } }),
      toThing(merge)({ spec: { list: [null, { a: null, b: 1 }] } }, '200', {
        like: { spec: { list: [null, { b: 1 }] } },
      }),
    ],
  ),
);
