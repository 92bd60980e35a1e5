import test from 'ava';
import { testIntegration } from '../../../../compliance/index.ts';
import { subjectWith } from '../fixtures/subject.ts';

testIntegration(test.serial, subjectWith({ workload: 'Deployment', restartOnConfig: true }));
