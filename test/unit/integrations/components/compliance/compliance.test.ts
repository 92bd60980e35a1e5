import test from 'ava';
import { testIntegration } from '../../../../compliance/index.ts';
import { subject } from '../fixtures/subject.ts';

testIntegration(test.serial, subject);
