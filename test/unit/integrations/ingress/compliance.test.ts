import test from 'ava';
import { type TestFunction, testIntegration } from '../../../compliance/index.ts';
import { serveGatewayApi } from './gateway-definitions.ts';
import { subjectOf } from './subject.ts';

const named = (kind: string): TestFunction =>
  Object.assign((title: string, run: (context?: unknown) => Promise<void>) => test.serial(`${kind}: ${title}`, run), {
    skip: (title: string) => test.serial.skip(`${kind}: ${title}`, () => {}),
  });

testIntegration(named('Ingress'), subjectOf('Ingress'));
testIntegration(named('HTTPRoute'), subjectOf('HTTPRoute', serveGatewayApi));
