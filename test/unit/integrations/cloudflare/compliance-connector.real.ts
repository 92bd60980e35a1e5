import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { caseNames } from '../../../compliance/subject/case-names.ts';
import { connectorSubject } from './fixtures/connector-subject.ts';

const others = caseNames.filter((name) => name !== 'crash');

testIntegration(test.serial, {
  ...connectorSubject,
  cannot: Object.fromEntries(others.map((name) => [name, 'proved by connector-compliance.test.ts'])),
});
