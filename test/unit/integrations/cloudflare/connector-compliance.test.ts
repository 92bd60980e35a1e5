import test from 'ava';
import { testIntegration } from '../../../compliance/index.ts';
import { connectorSubject, withoutConnector } from './fixtures/connector-subject.ts';

testIntegration(test.serial, {
  ...connectorSubject,
  cannot: { ...withoutConnector, crash: 'proved by compliance-connector.real.ts, since it takes long' },
});
