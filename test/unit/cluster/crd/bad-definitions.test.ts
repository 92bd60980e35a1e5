import test from 'ava';
import { aDefinition } from '../fixtures/a-definition.ts';
import { answersAsReal, type ExpectedAnswer } from '../fixtures/expected-answers.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const invalid = '422 CustomResourceDefinition.apiextensions.k8s.io "gadgets.example.com" is invalid: ';

const refused = (definition: object, why: string): ExpectedAnswer => ({
  ask: `POST ${definitions}?dryRun=All`,
  body: definition,
  answer: invalid + why,
});
const withField = (x: object) => aDefinition({ type: 'object', properties: { x } });
const ofField = 'spec.validation.openAPIV3Schema.properties[x]';
const ofVersion = (more: object) => aDefinition({ type: 'object' }, { ...more });
const keyed = { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] };

test(
  'refuses definitions in the words of the real server',
  answersAsReal({}, [
    refused(
      withField({ type: 'string', default: 5 }),
      `${ofField}.default: Invalid value: "integer":  in body must be of type string: "integer"`,
    ),
    refused(
      withField({ type: 'string', pattern: '[' }),
      `${ofField}.pattern: Invalid value: "[": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: \`[\``,
    ),
    refused(withField({ $ref: '#/x' }), `${ofField}.$ref: Forbidden: $ref is not supported`),
    refused(
      withField({
        type: 'array',
        items: keyed,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'k'],
      }),
      `${ofField}.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries`,
    ),
    refused(
      aDefinition({ type: 'object', properties: { kind: { type: 'string', default: 'x' } } }),
      'spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind',
    ),
    refused(
      ofVersion({ deprecationWarning: 'x' }),
      'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
    ),
    refused(
      ofVersion({ deprecated: true, deprecationWarning: 'a\nb' }),
      'spec.versions[0].deprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters; non-printable character found at index 1',
    ),
    refused(
      ofVersion({ storage: false }),
      '[spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version, status.storedVersions: Invalid value: null: must have at least one stored version]',
    ),
    refused(
      ofVersion({ additionalPrinterColumns: [{ name: 'a', type: 'integer', format: 'int9', jsonPath: '.a' }] }),
      'spec.additionalPrinterColumns[0].format: Invalid value: "int9": must be one of byte,date,date-time,double,float,int32,int64,password',
    ),
    refused(
      ofVersion({ selectableFields: [{ jsonPath: 'spec.x' }] }),
      'spec.selectableFields[0].jsonPath: Invalid value: "spec.x": is an invalid path: expected [ or . but got: spec',
    ),
  ]),
);

const ruled = (rule: object, field: string, why: string): ExpectedAnswer => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, 'x-kubernetes-validations': [rule] };
  const at = `spec.validation.openAPIV3Schema.x-kubernetes-validations[0].${field}`;
  return refused(aDefinition(schema), `${at}: Invalid value: ${why}`);
};
const goRule = (rule: string, message = '') =>
  `{"Rule":${rule},"Message":"","MessageExpression":"${message}","Reason":null,"FieldPath":"","OptionalOldSelf":null}: `;

test(
  'refuses CEL rules in the words of the real server',
  answersAsReal({}, [
    ruled({ rule: 'true', fieldPath: '.nope' }, 'fieldPath', '".nope": must be a valid path'),
    ruled(
      { rule: 'self.a == 1', optionalOldSelf: true },
      'optionalOldSelf',
      'true: may not be set if oldSelf is not used in rule',
    ),
    ruled(
      { rule: 'true', messageExpression: '1' },
      'messageExpression',
      `${goRule('"true"', '1')}messageExpression must evaluate to a string`,
    ),
    ruled(
      { rule: 'foo(self)' },
      'rule',
      `${goRule('"foo(self)"')}compilation failed: ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(self)\n | ...^`,
    ),
    ruled(
      { rule: 'self.a > "x"' },
      'rule',
      `${goRule('"self.a \\u003e \\"x\\""')}compilation failed: ERROR: <input>:1:8: found no matching overload for '_>_' applied to '(int, string)'\n | self.a > "x"\n | .......^`,
    ),
  ]),
);

const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';
const schema = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 2, pattern: '^a' },
    choice: { type: 'string', nullable: true, enum: ['a'] },
    counts: { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } },
    pairs: { type: 'array', items: keyed, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    host: { type: 'string', format: 'hostname' },
    bytes: { type: 'string', format: 'byte' },
    thing: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
};
const object = (fields: object, why: string): ExpectedAnswer => ({
  ask: `POST ${gadgets}`,
  body: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' }, ...fields },
  answer: `422 Gadget.example.com "x" is invalid: ${why}`,
});

test(
  'refuses custom resources in the words of the real server',
  answersAsReal({ before: [[`POST ${definitions}`, aDefinition(schema)]] }, [
    object({ text: 'b' }, 'text: Invalid value: "b": text in body should be at least 2 chars long'),
    object({ choice: null }, 'choice: Unsupported value: null: supported values: "a"'),
    object({ counts: { a: null } }, 'counts: Invalid value: 0: counts in body should have at least 1 properties'),
    object({ pairs: [{ k: 'a' }, { k: 'a' }, { k: 'a' }] }, 'pairs[1]: Duplicate value: {"k":"a"}'),
    object({ host: '1.2.3.4' }, 'host: Invalid value: "1.2.3.4": host in body must be of type hostname: "1.2.3.4"'),
    object({ bytes: '' }, 'bytes: Invalid value: "": bytes in body must be of type byte: ""'),
    object({ thing: { apiVersion: '', kind: 'X' } }, 'thing.apiVersion: Invalid value: "": must not be empty'),
  ]),
);
